// The page: connects the server's messages, the board and the panels beside it.

/**
 * @import {
 *   Game, Position, Send, ServerMessage, ServerMessages, View, Welcome
 * } from "../types/messages.d.ts"
 * @import { ConnectionState, Mode } from "../types/page.d.ts"
 */

import { pushAddress, pushGameAddress, readAddress, replaceAddress } from "./address.js";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import {
  NewGame,
  Records,
  SavedGames,
  ask,
  openDialog,
  showError,
  showMoveHelp,
  showRules,
  wireDialogs,
} from "./dialogs.js";
import { $, el, isInside, setChildren, setCurrent } from "./dom.js";
import { EndCard } from "./end_card.js";
import { Explorer } from "./explorer.js";
import { countPeople, playerName, spokenMove } from "./format.js";
import { Invite } from "./invite.js";
import { wireLanguage } from "./language.js";
import { Learn } from "./learn.js";
import { wireLook } from "./look.js";
import { openMenu, wireMenu } from "./menu.js";
import { MoveList } from "./moves.js";
import { announce, notify, showReason } from "./notices.js";
import { Players } from "./players.js";
import { Puzzles } from "./puzzles.js";
import { Reasons } from "./reasons.js";
import { Review } from "./review.js";
import { takeKey } from "./seats.js";
import { Sounds } from "./sounds.js";
import { changesText, statusText, titleOf } from "./status.js";
import { t, translate } from "./texts.js";
import { treeOf } from "./tree.js";
import { WallPlacing } from "./walls.js";
import { Watch } from "./watch.js";
import { FirstVisit } from "./welcome.js";
import { onWheelStep } from "./wheel.js";

class Page {
  constructor() {
    /** @type {Mode} */
    this.mode = "play";
    /** @type {Game | null} */
    this.game = null;
    /** The position shown, the latest or an earlier one. @type {Position | null} */
    this.shown = null;
    this.flipped = false;
    this.session = "";
    /** Whether the next message about the game brings its position to the board. */
    this.isFollowing = false;
    this.person = "";
    /** @type {Welcome["games"]} */
    this.games = {};
    /** The position that the message below the board is about. */
    this.messageKey = "";
    /** Whether the next report opens at its first mistake. */
    this.opensReview = false;

    /** @type {Send} */
    const send = (type, ...fields) => this.send(type, ...fields);
    /** Asks for advice, which a game with a friend does not give. @type {Send} */
    const sendForAdvice = (type, ...fields) => !this.game?.shared && send(type, ...fields);
    this.reasons = new Reasons((type, ...fields) => this.connection.send(type, ...fields));
    this.board = new Board($("board"), {
      play: (move) => this.play(move),
      findReason: (move) => this.findReason(move),
      startTyping: (character) => this.startTyping(character),
    });
    this.walls = new WallPlacing(this.board);
    this.sounds = new Sounds();
    this.players = new Players(
      (player, who) => send("take_seat", { player, who }),
      () => this.sounds.play("low"),
    );
    this.moves = new MoveList({
      send,
      showNode: (node) => this.showNode(node),
      playOn: (node) => this.playOn(node),
    });
    this.analysis = new Analysis({
      send: sendForAdvice,
      showPly: (ply) => this.showPly(ply),
      showLine: (line) => this.board.setLine(line),
      showPolicy: (moves) => this.board.setPolicy(moves),
      showPaths: (on) => this.board.showPaths(on),
      markMistakes: (mistakes) => {
        this.moves.setMarks(mistakes);
        if (this.game && this.shown) this.moves.show(this.game, this.shown);
      },
      showReport: (report) => {
        this.review.setReport(report);
        this.review.refresh();
      },
    });
    this.review = new Review({
      send,
      nameOf: (player) => (this.game ? playerName(this.game, player, this.person) : ""),
      showNode: (node) => this.showNode(node),
      showPreview: (view, status) => this.showPreview(view, status ?? ""),
      compareMoves: (moves) => this.board.compareMoves(moves),
    });
    this.explorer = new Explorer({
      send: sendForAdvice,
      showMove: (move) => this.board.setLine(move && [move]),
    });
    this.endCard = new EndCard({
      send,
      requestReport: () => this.analysis.requestReport(),
      review: () => this.startReview(),
    });
    this.newGame = new NewGame((settings) => {
      if (this.mode !== "play") this.setMode("play");
      this.records.isOpening = send("new_game", settings);
    });
    this.records = new Records(send);
    this.savedGames = new SavedGames(send, (id) => {
      this.records.isOpening = send("open_game", { id });
    });
    this.puzzles = new Puzzles(send, {
      showPosition: (position, key, flipped) => this.showInMode("puzzles", position, key, flipped),
      setHint: (move) => this.board.setHint(move),
    });
    this.watch = new Watch(send, (position, key) => this.showInMode("watch", position, key));
    this.invite = new Invite({
      send,
      join: (game) => this.joinGame(game),
      openLink: (link) => {
        this.records.isOpening = send("open_link", { link });
      },
    });
    this.learn = new Learn({
      send,
      showPosition: (position, key) => this.showInMode("learn", position, key),
      showPaths: (on) => this.board.showPaths(on ?? $("paths").checked),
      setHint: (move) => this.board.setHint(move),
      startGame: (fields) => {
        this.setMode("play");
        this.records.isOpening = send("new_game", fields);
      },
    });
    this.firstVisit = new FirstVisit(() => this.setMode("learn"));
    wireDialogs();
    wireLanguage();
    takeKey();
    wireLook();
    wireMenu(() => this.moves.scrollToCurrent());
    this.addListeners();
    this.handlers = this.createHandlers();
    this.connection = new Connection(
      (message) => this.dispatch(message),
      (state, reason) => this.showConnection(state, reason),
    );
  }

  addListeners() {
    for (const type of /** @type {const} */ (["undo", "redo", "hint"])) {
      $(type).addEventListener("click", () => this.send(type));
    }
    $("resign").addEventListener("click", async () => {
      if (await ask(t("game.resign.question"), t("game.resign"))) this.send("resign");
    });
    $("flip").addEventListener("click", () => this.setFlipped(!this.flipped));
    $("play-on").addEventListener("click", () => {
      if (this.shown) this.playOn(this.shown.node);
    });
    $("pass").addEventListener("click", () => this.play("pass"));
    $("wake").addEventListener("click", () => {
      if (readAddress().game && document.body.dataset.line === "unknown") this.leaveGame();
      else this.connection.reconnectNow();
    });
    for (const button of modeButtons()) {
      const mode = /** @type {Mode} */ (button.dataset.mode);
      button.addEventListener("click", () => {
        this.setMode(mode);
        this.followAddress();
      });
    }
    $("typed-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.playTyped();
    });
    $("typed").addEventListener("keydown", (event) => {
      if (event.key === "Escape") $("board").focus();
    });
    document.addEventListener("keydown", (event) => this.onKeyDown(event));
    addEventListener("hashchange", () => {
      // A link was pasted.
      if (takeKey()) this.connection.rejoin();
      this.openSharedGame();
    });
    addEventListener("popstate", () => {
      this.showAddress();
      this.followAddress();
    });
    onWheelStep(
      $("board-box"),
      () => this.mode === "play" && this.moves.line.length > 0,
      (direction) => this.moves.goTo(this.moves.ply + direction),
    );
  }

  /** @type {Send} */
  send(type, ...fields) {
    const isSent = this.connection.send(type, ...fields);
    const isExplained = document.body.dataset.line === "unknown"; // there is no such game
    if (!isSent && !isExplained) notify(t("connection.no-answer"));
    return isSent;
  }

  // Messages from the server.

  /** @returns {{ [T in keyof ServerMessages]: (message: ServerMessages[T]) => void }} */
  createHandlers() {
    return {
      welcome: (message) => this.welcome(message),
      game: (message) => this.showGame(message),
      position: (message) => this.showEarlier(message),
      thinking: (message) => this.showThinking(message),
      hint: (message) => this.showHint(message),
      why: (message) => this.reasons.receive(message),
      refused: ({ text, key }) => this.showRefusal(key ? t(key) : translate(text)),
      invited: (message) => this.invite.receive(message),
      export: (message) => {
        if (!this.invite.takeExport(message)) this.records.showExport(message);
      },
      games: (message) => this.savedGames.show(message),
      analysis: (message) => this.analysis.receiveAnalysis(message),
      policy: (message) => this.analysis.receivePolicy(message),
      report: (message) => this.receiveReport(message),
      explorer: (message) => this.explorer.receive(message),
      tried: (message) => this.review.receiveTried(message),
      line: (message) => this.review.receiveLine(message),
      puzzle: (message) => this.puzzles.showPuzzle(message),
      solution: (message) => this.puzzles.showSolution(message),
      lesson: (message) => this.learn.showLesson(message),
      lesson_answer: (message) => this.learn.showResult(message),
      puzzle_hint: (message) => this.puzzles.showHint(message),
      puzzle_progress: (message) => this.puzzles.showRecorded(message),
      tournaments: (message) => this.watch.showTournaments(message.tournaments),
      table: (message) => this.watch.showStandings(message),
      watched: (message) => this.watch.showGame(message),
    };
  }

  /**
   * Call the handler of a message.
   *
   * @template {keyof ServerMessages} T
   * @param {ServerMessage<T>} message
   */
  dispatch(message) {
    this.handlers[message.type]?.(message);
  }

  /** @param {Welcome} message */
  welcome(message) {
    const session = message.session ?? message.invited ?? "";
    if (this.session !== session) {
      this.session = session;
      this.game = this.shown = this.analysis.game = null; // another session has other games
    }
    this.person = message.person;
    this.games = message.games;
    this.players.setGames(message);
    this.newGame.setGames(message);
    this.savedGames.setGames(message);
    this.invite.setGames(message);
    this.puzzles.setGames(message);
    this.watch.setGames(message);
    this.learn.setGames(message);
    this.analysis.onReconnect();
    this.explorer.refresh();
    this.openSharedGame();
    if (this.mode === "watch") this.watch.enter();
    if (!message.invited && readAddress().game) pushAddress("play"); // another game was opened
    if (this.mode !== "learn" || !this.learn.lesson) this.showAddress();
  }

  /** Open the game in the page's address, if there is one. */
  openSharedGame() {
    const link = /^#game=([\w-]+)/.exec(location.hash)?.[1];
    if (!link) return;
    const { page, item } = readAddress();
    replaceAddress(page, item);
    this.records.isOpening = this.send("open_link", { link });
  }

  /** @param {Game} game */
  showGame(game) {
    const isSame =
      this.game?.number === game.number &&
      this.game.game === game.game &&
      this.game.shared?.you === game.shared?.you;
    const before = isSame ? this.game : null;
    const { shown } = this;
    const showsLatest = !shown || shown.node === before?.node || this.isFollowing;
    const isEnd = Boolean(game.outcome) && !before?.outcome;
    this.isFollowing = false;
    this.game = game;
    this.reasons.clear();
    if (!before) {
      this.shown = game;
      if (this.records.onGameOpened()) {
        this.setMode("play");
        openMenu(false);
      }
      this.orientBoard(game);
      showMoveHelp(this.games[game.game]?.help ?? "");
      showRules(this.games[game.game]?.rules ?? "");
    }
    // Another position stays on the board while moves are added, but not when the game changes or
    // ends.
    const stays =
      shown && before && !showsLatest && !isEnd && isContinued(before, game, shown.node);
    const moves = stays && treeOf(game).played.has(shown.node) ? game.moves : (shown?.moves ?? []);
    this.setShown(game, stays ? { ...shown, moves } : game);
    const changes = changesText(before, game, this.person);
    if (changes) announce(changes);
    this.endCard.show(before, game, this.person);
    this.firstVisit.show(game);
    if (before) this.sounds.playChange(before, game);
    if (isEnd) openMenu(false);
    this.updateTitle();
    $("thinking").textContent = "";
    const isShared = Boolean(game.shared);
    $("undo").disabled = isShared || !game.moves.length;
    $("redo").disabled = isShared || !game.undone;
    $("hint").disabled = isShared || Boolean(game.outcome);
    $("resign").disabled = Boolean(game.outcome) || !countPeople(game) || game.shared?.you === null;
    this.invite.show(game);
  }

  /** @param {Position} position */
  showEarlier(position) {
    const { game } = this;
    if (game && (position.node === 0 || treeOf(game).moves.has(position.node))) {
      this.setShown(game, position);
    }
  }

  /**
   * Show a position of the game on the board and in the panels.
   *
   * @param {Game} game
   * @param {Position} shown
   */
  setShown(game, shown) {
    const position = this.review.show(game, shown);
    this.shown = position;
    const isEarlier = position.node !== game.node;
    this.forgetMessage(game, position);
    if (this.mode === "play") this.board.show(position, `${this.session} game ${game.number}`);
    this.players.show(game, position);
    this.moves.show(game, position);
    this.analysis.show(game, position, Boolean(this.games[game.game]?.has_paths));
    this.explorer.show(game, position);
    $("play-on").hidden = !isEarlier;
    // It stays enabled while an agent thinks, so that it keeps the focus.
    const isDone = !countPeople(game) || (!isEarlier && Boolean(game.outcome));
    $("typed").disabled = isDone && !position.can_play;
    $("typed").placeholder = translate(game.example);
    $("pass").hidden = !(position.can_play && position.legal.join() === "pass");
    $("status").textContent = statusText(game, position, this.person);
    document.body.classList.toggle("earlier", isEarlier);
    this.describePosition(position);
    this.review.refresh();
  }

  /**
   * Show a position that is not part of the game; null shows the game again.
   *
   * @param {View | null} view
   * @param {string} status
   */
  showPreview(view, status) {
    if (this.mode !== "play" || !this.game || !this.shown) return;
    if (!view) {
      this.setShown(this.game, this.shown);
      return;
    }
    const position = { ...view, node: -1, legal: [], spots: {}, can_play: false };
    this.board.show(position, `${this.session} line`);
    $("status").textContent = status;
    this.describePosition(position);
  }

  /** @param {ServerMessages["report"]} report */
  receiveReport(report) {
    this.analysis.receiveReport(report);
    this.endCard.receiveReport(report);
    if ("chances" in report && this.opensReview) this.startReview();
  }

  /** Show the first mistake of the game, after its analysis if need be. */
  startReview() {
    this.opensReview = !this.analysis.isAnalysed;
    if (this.opensReview) this.analysis.requestReport();
    else this.review.showFirst();
  }

  /**
   * Remove the message and the hint about a position that is no longer shown.
   *
   * @param {Game} game
   * @param {Position} position
   */
  forgetMessage(game, { node }) {
    const key = `${this.session}/${game.number}/${node}/${game.outcome?.text ?? ""}`;
    if (key === this.messageKey) return;
    this.messageKey = key;
    showReason("");
    this.board.setHint(null);
  }

  /** Show in the title whose turn it is. */
  updateTitle() {
    const { game, mode, person } = this;
    document.title = titleOf(mode === "play" && game ? statusText(game, game, person) : "");
  }

  /**
   * Describe the board for screen readers.
   *
   * @param {Position} position
   */
  describePosition({ to_move: toMove }) {
    const turn = toMove ? ` ${t("board.to-move", { player: toMove })}` : "";
    $("position-text").textContent = `${this.board.summary()}${turn}`;
  }

  /** @param {ServerMessages["thinking"]} message */
  showThinking({ player, text }) {
    if (!this.game) return;
    const name = playerName(this.game, player, this.person);
    $("thinking").textContent = t("game.thinking", { name, text: translate(text) });
  }

  /** @param {ServerMessages["hint"]} message */
  showHint({ move, node }) {
    if (this.mode !== "play" || this.shown?.node !== node || this.game?.outcome) return;
    this.board.setHint(move);
    showReason(t("game.hint.move", { move }), "good");
    announce(t("game.hint.move", { move: spokenMove(move) }));
    $("thinking").textContent = "";
  }

  /** @param {string} text */
  showRefusal(text) {
    this.records.isOpening = this.isFollowing = false;
    this.review.refresh();
    const dialog = openDialog();
    if (dialog) showError(dialog, text);
    else showReason(text, "bad");
    announce(text);
    if (this.mode !== "play") notify(text);
  }

  // Actions of the user.

  /**
   * Play a move; return false if it could not be sent.
   *
   * @param {string} move
   */
  play(move) {
    if (this.mode === "puzzles") this.puzzles.play(move);
    else if (this.mode === "learn") this.learn.play(move);
    else if (this.mode === "play" && this.shown && !this.review.play(move)) {
      const { ply, node } = this.shown;
      this.isFollowing = this.send("play_move", { move, ply, node });
      return this.isFollowing;
    }
    return true;
  }

  /** Play the typed move. While an agent thinks or the server is away, the text stays. */
  playTyped() {
    const move = $("typed").value.trim().toLowerCase();
    if (!move) return;
    if (this.shown?.can_play) {
      if (this.play(move)) $("typed").value = "";
    } else showReason(t("game.not-your-turn"), "bad");
  }

  /**
   * Show a position of the game's tree.
   *
   * @param {number} node
   */
  showNode(node) {
    if (!this.game) return;
    if (node === this.game.node) this.setShown(this.game, this.game);
    else this.send("show", { ply: 0, node });
  }

  /**
   * Show the position after `ply` moves of the main line.
   *
   * @param {number} ply
   */
  showPly(ply) {
    if (this.game) this.showNode(treeOf(this.game).mainLine[ply - 1]?.node ?? 0);
  }

  /**
   * Play on from a position of the game's tree.
   *
   * @param {number} node
   */
  playOn(node) {
    this.isFollowing = this.send("go_to", { ply: 0, node });
  }

  /**
   * Find out why a move is illegal.
   *
   * @param {string} move
   * @returns {Promise<string | null>}
   */
  async findReason(move) {
    if (this.mode === "learn") return this.learn.findReason(move);
    if (this.mode !== "play" || !this.shown) return t("board.illegal");
    return this.reasons.find(this.shown, move);
  }

  /** @param {string} character */
  startTyping(character) {
    if ($("typed").disabled || this.mode !== "play") return;
    $("typed").focus();
    $("typed").value = character;
  }

  /** @param {KeyboardEvent} event */
  onKeyDown(event) {
    if (isInside(event, "input:not([type=checkbox]), select, textarea, dialog")) return;
    if (this.board.takesKeys && isInside(event, "[role=application]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.toLowerCase() === "r" && this.walls.turn()) return;
    if (event.key === "Escape" && this.board.shownWall) this.walls.cancel();
    if (this.mode !== "play" || !this.game || !this.shown) return;
    if (this.review.takeKey(event.key)) {
      event.preventDefault();
      return;
    }
    const { ply } = this.moves;
    /** @type {Partial<Record<string, () => void>>} */
    const shortcuts = {
      ArrowLeft: () => this.moves.goTo(ply - 1),
      ArrowRight: () => this.moves.goTo(ply + 1),
      Home: () => this.moves.goTo(0),
      End: () => this.moves.goToLast(),
      ArrowUp: () => this.moves.goToVariation(-1),
      ArrowDown: () => this.moves.goToVariation(1),
      f: () => this.setFlipped(!this.flipped),
      u: () => $("undo").click(),
      y: () => $("redo").click(),
      h: () => $("hint").click(),
      n: () => $("new-dialog").showModal(),
      "?": () => $("help-dialog").showModal(),
    };
    const shortcut = shortcuts[event.key];
    if (!shortcut) return;
    shortcut();
    event.preventDefault();
  }

  // Modes and appearance.

  /**
   * Go to a mode, which has an address of its own.
   *
   * @param {Mode} mode
   */
  setMode(mode) {
    pushAddress(mode);
    this.showAddress();
  }

  /** Show what the address names. */
  showAddress() {
    const { page, item } = readAddress();
    if (page !== this.mode) this.showMode(page);
    else if (page === "learn") this.learn.enter(item);
    else if (page === "puzzles") this.puzzles.enter();
  }

  /**
   * Join an invited game.
   *
   * @param {string} game
   */
  joinGame(game) {
    pushGameAddress(game);
    this.showMode("play");
    this.followAddress();
  }

  /** Go to the page's own game. */
  leaveGame() {
    this.setMode("play");
    this.followAddress();
  }

  /** Connect again if the address is that of another game; other parts of the page need not. */
  followAddress() {
    const { page, game } = readAddress();
    if (page === "play" && game !== this.connection.game) this.connection.rejoin();
  }

  /** @param {Mode} mode */
  showMode(mode) {
    if (mode === this.mode) return;
    if (this.mode === "puzzles") this.puzzles.leave();
    if (this.mode === "watch") this.watch.leave();
    if (this.mode === "learn") this.learn.leave();
    this.mode = mode;
    document.body.dataset.shows = mode;
    for (const button of modeButtons()) {
      setCurrent(button, button.dataset.mode === mode ? "page" : null);
    }
    showReason("");
    this.board.disable();
    if (mode === "puzzles") this.puzzles.enter();
    else if (mode === "watch") this.watch.enter();
    else if (mode === "learn") this.learn.enter(readAddress().item);
    else if (this.game && this.shown) {
      this.board.flip(this.flipped);
      this.analysis.refresh();
      this.setShown(this.game, this.shown);
    }
    this.updateTitle();
  }

  /**
   * Show a position that is not part of the current game.
   *
   * @param {"learn" | "puzzles" | "watch"} mode
   * @param {Position} position
   * @param {string} key
   * @param {boolean} [flipped]
   */
  showInMode(mode, position, key, flipped = false) {
    if (this.mode !== mode) return;
    this.board.flip(flipped);
    this.board.show(position, `${mode} ${key}`);
    this.describePosition(position);
    const players = position.facts.map((facts, i) =>
      el(
        "li",
        { class: position.to_move === i + 1 ? "to-move" : "" },
        t("player.facts", { player: i + 1, facts: facts.map(translate).join(", ") }),
      ),
    );
    setChildren($(`${mode}-players`), ...players);
  }

  /**
   * Turn the board to player 2 who plays here, if the game's board is turned.
   *
   * @param {Game} game
   */
  orientBoard({ game, shared, people: [first, second] }) {
    const isPlayer2 = shared ? shared.you === 2 : !first && second;
    this.setFlipped(Boolean(this.games[game]?.turns_board) && isPlayer2);
  }

  /** @param {boolean} flipped */
  setFlipped(flipped) {
    this.flipped = flipped;
    if (this.mode === "play") this.board.flip(flipped);
    this.players.flip(flipped);
  }

  /**
   * @param {ConnectionState} state
   * @param {string} reason
   */
  showConnection(state, reason) {
    document.body.dataset.line = state;
    $("offline").hidden = state === "open";
    $("wake").hidden = state !== "suspended" && state !== "unknown";
    $("wake").textContent = t(state === "unknown" ? "shared.leave" : "connection.resume");
    const texts = { suspended: t("connection.suspended"), unknown: t("shared.unknown") };
    $("offline-text").textContent =
      state === "suspended" || state === "unknown"
        ? texts[state]
        : translate(reason) || t("connection.lost");
    if (state === "unknown") $("status").textContent = t("shared.unknown");
  }
}

/** @returns {NodeListOf<HTMLElement>} */
const modeButtons = () => document.querySelectorAll("[data-mode]");

/**
 * Return whether a game still starts with the moves that it had before, and still has a position.
 *
 * @param {Game} before
 * @param {Game} game
 * @param {number} node
 */
const isContinued = (before, game, node) =>
  before.moves.every((move, ply) => move === game.moves[ply]) &&
  treeOf(game).matches(treeOf(before), node);

new Page();
