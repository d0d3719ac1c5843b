// The page: one connection, one board, and who gets to hear what.

import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Games, NewGame, Records, refuse, wireDialogs } from "./dialogs.js";
import { $, el, kept, put } from "./dom.js";
import { Link } from "./connection.js";
import { Moves } from "./moves.js";
import { Players } from "./players.js";
import { Puzzles } from "./puzzles.js";
import { Watch } from "./watch.js";
import { ending, nameOf, playerAt, spoken } from "./format.js";

class Page {
  constructor() {
    this.mode = "play";
    this.game = null;
    this.shown = null; // the position on the board, in the mode that plays
    this.reasons = new Map();
    this.asked = new Map();
    const send = (type, fields) => this.send(type, fields);
    this.board = new Board($("board"), {
      play: (move) => this.play(move),
      why: (move) => this.why(move),
      explain: (text, kind) => this.explain(text, kind),
      say: (text) => this.say(text),
      type: (letter) => this.type(letter),
    });
    this.players = new Players((player, who) => send("take_seat", { player, who }));
    this.moves = new Moves((ply) => this.look(ply));
    this.analysis = new Analysis({
      send,
      look: (ply) => this.look(ply),
      line: (moves) => this.board.setLine(moves),
      heat: (moves) => this.board.setHeat(moves),
      paths: (on) => this.setPaths(on),
      marks: (mistakes) => {
        this.moves.setMarks(mistakes);
        if (this.shown) this.moves.show(this.game, this.shown.ply);
      },
    });
    this.newGame = new NewGame((fields) => {
      this.showMode("play");
      this.records.opening = send("new_game", fields);
    });
    this.records = new Records(send, (text) => this.notice(text));
    this.games = new Games(send, (id) => {
      this.records.opening = send("open_game", { id });
    });
    this.puzzles = new Puzzles(send, (shape) => this.showOn("puzzles", shape), (text) => this.say(text));
    this.watch = new Watch(send, (shape) => this.showOn("watch", shape));
    wireDialogs();
    this.wire();
    this.link = new Link(
      (message) => this.hear(message),
      (state, why) => this.lineChanged(state, why),
    );
  }

  wire() {
    const commands = { undo: "undo", redo: "redo", hint: "hint", resign: "resign" };
    for (const [id, type] of Object.entries(commands)) {
      $(id).addEventListener("click", () => this.send(type));
    }
    $("flip").addEventListener("click", () => this.setFlipped(!this.flipped));
    $("play-on").addEventListener("click", () => this.send("go_to", { ply: this.shown.ply }));
    $("pass").addEventListener("click", () => this.play("pass"));
    $("wake").addEventListener("click", () => this.link.hurry());
    $("theme").addEventListener("click", () => this.nextTheme());
    for (const button of document.querySelectorAll("[data-mode]")) {
      button.addEventListener("click", () => this.showMode(button.dataset.mode));
    }
    $("typed-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const move = $("typed").value.trim().toLowerCase();
      if (move) this.play(move);
      $("typed").value = "";
    });
    $("typed").addEventListener("keydown", (event) => {
      if (event.key === "Escape") $("board").focus();
    });
    document.addEventListener("keydown", (event) => this.pressed(event));
    addEventListener("hashchange", () => this.followLink()); // a link pasted over the address
  }

  send(type, fields) {
    const sent = this.link.send(type, fields);
    if (!sent) this.notice("The server does not answer; trying again…");
    return sent;
  }

  // What the server says.

  hear(message) {
    const handlers = {
      welcome: () => this.welcome(message),
      game: () => this.showGame(message),
      position: () => this.showPosition(message),
      thinking: () => this.showThinking(message),
      hint: () => this.showHint(message),
      why: () => this.answerWhy(message),
      refused: () => this.refused(message.text),
      export: () => this.records.hear(message),
      games: () => this.games.hear(message),
      analysis: () => this.analysis.hear(message),
      policy: () => this.analysis.hear(message),
      report: () => this.analysis.hear(message),
      puzzle: () => this.puzzles.hear(message),
      solution: () => this.puzzles.hear(message),
      tournaments: () => this.watch.hear(message),
      table: () => this.watch.hear(message),
      watched: () => this.watch.hear(message),
    };
    handlers[message.type]?.();
  }

  welcome(message) {
    this.person = message.person;
    this.help = message.help;
    this.players.offer(message);
    this.newGame.offer(message);
    this.puzzles.offer(message);
    this.analysis.renew();
    this.followLink();
    if (this.mode === "puzzles") this.puzzles.begin();
    if (this.mode === "watch") this.watch.begin();
  }

  /** Open the game that the address holds, if it holds one. */
  followLink() {
    const link = /^#game=([\w-]+)/.exec(location.hash);
    if (!link) return;
    history.replaceState(null, "", location.pathname);
    this.records.opening = this.send("open_link", { link: link[1] });
  }

  showGame(game) {
    const before = this.game;
    const another = before?.number !== game.number || before?.game !== game.game;
    const followed = !this.shown || this.shown.ply === before?.moves.length;
    this.game = game;
    this.reasons.clear();
    if (another) {
      this.records.opened();
      this.facePlayer();
      $("help-moves").textContent = this.help[game.game];
    }
    // Whoever looks at an earlier position stays there while the game goes on, but not where
    // moves are taken back or others are played.
    const stays = !another && !followed && goesOn(before, game);
    this.setShown(stays ? { ...this.shown, moves: game.moves } : game);
    this.speak(before, game, another);
    $("thinking").textContent = "";
    $("undo").disabled = !game.moves.length;
    $("redo").disabled = !game.undone;
    $("hint").disabled = Boolean(game.outcome);
    $("resign").disabled = Boolean(game.outcome) || !game.people.some(Boolean);
  }

  showPosition(position) {
    if (position.ply <= this.game.moves.length) this.setShown(position);
  }

  /** Put a position of the game on the board, and everything that belongs to it beside it. */
  setShown(shape) {
    const { game } = this;
    this.shown = { ...shape, number: game.number };
    const earlier = shape.ply < game.moves.length;
    if (this.mode === "play") this.board.show(this.shown);
    this.players.show(game, shape);
    this.moves.show(game, shape.ply);
    this.analysis.show(game, shape);
    $("play-on").hidden = !earlier;
    $("typed").disabled = !shape.can_play;
    $("typed").placeholder = game.example;
    $("pass").hidden = !(shape.can_play && shape.legal.length === 1 && shape.legal[0] === "pass");
    $("status").textContent = this.statusOf(game, shape, earlier);
    document.body.classList.toggle("earlier", earlier);
    this.describe(shape);
  }

  statusOf(game, shape, earlier) {
    if (earlier) return `After move ${shape.ply} of ${game.moves.length}.`;
    if (game.outcome) return ending(game, this.person);
    const name = nameOf(game, game.to_move, this.person);
    if (!game.asked) return `${name} is thinking…`;
    return name === "You" ? "Your turn." : `${name} to move.`;
  }

  describe(shape) {
    const side = shape.to_move ? ` Player ${shape.to_move} to move.` : "";
    $("position-text").textContent = this.board.geometry
      ? `${this.board.geometry.summary(this.board.shape)}${side}`
      : "";
  }

  /** Tell a screen reader what has happened. */
  speak(before, game, another) {
    if (another) {
      this.say(`New game. ${game.task}`);
      return;
    }
    const fresh = game.moves.slice(before.moves.length);
    const words = fresh.map((move, index) => {
      const player = playerAt(game, before.moves.length + index);
      return `${nameOf(game, player, this.person)}: ${spoken(move)}.`;
    });
    if (game.moves.length < before.moves.length) words.push("Moves taken back.");
    if (game.outcome && !before.outcome) words.push(ending(game, this.person));
    else if (fresh.length && game.asked && game.people.filter(Boolean).length === 1) {
      words.push("Your turn.");
    }
    if (words.length) this.say(words.join(" "));
  }

  showThinking({ player, text }) {
    $("thinking").textContent = `${nameOf(this.game, player, this.person)}: ${text}`;
  }

  showHint({ move, ply }) {
    if (this.mode !== "play" || this.shown.ply !== ply) return;
    this.board.setHint(move);
    this.explain(`Hint: ${move}`, "good");
    this.say(`Hint: ${spoken(move)}`);
    $("thinking").textContent = "";
  }

  refused(text) {
    this.records.opening = false;
    const dialog = document.querySelector("dialog[open]");
    if (dialog) refuse(dialog, text);
    else this.explain(text, "bad");
    this.say(text);
    if (this.mode !== "play") this.notice(text);
  }

  // What people do.

  play(move) {
    if (this.mode === "puzzles") this.puzzles.play(move);
    else if (this.mode === "play") this.send("play_move", { move, ply: this.shown.ply });
  }

  /** Look at the position after so many moves. */
  look(ply) {
    if (ply === this.game.moves.length) this.setShown(this.game);
    else this.send("show", { ply });
  }

  /** Why a move cannot be played; asked once a position. */
  why(move) {
    if (this.mode !== "play") return Promise.resolve("This move is not possible.");
    const key = `${this.shown.ply} ${move}`;
    if (this.reasons.has(key)) return Promise.resolve(this.reasons.get(key));
    return new Promise((resolve) => {
      this.asked.set(key, resolve);
      clearTimeout(this.askTimer); // a pointer on its way asks nothing
      this.askTimer = setTimeout(() => this.link.send("why", { move, ply: this.shown.ply }), 30);
    });
  }

  answerWhy({ move, ply, reason }) {
    const key = `${ply} ${move}`;
    this.reasons.set(key, reason);
    this.asked.get(key)?.(reason);
    this.asked.delete(key);
  }

  type(letter) {
    if ($("typed").disabled) return;
    $("typed").focus();
    $("typed").value = letter;
  }

  pressed(event) {
    if (event.target.closest("input, select, textarea, dialog, [role=application]")) return;
    if (event.ctrlKey || event.metaKey || event.altKey || this.mode !== "play") return;
    const keys = {
      ArrowLeft: () => this.moves.go(this.shown.ply - 1),
      ArrowRight: () => this.moves.go(this.shown.ply + 1),
      Home: () => this.moves.go(0),
      End: () => this.moves.go(this.game.moves.length),
      f: () => this.setFlipped(!this.flipped),
      u: () => $("undo").click(),
      y: () => $("redo").click(),
      h: () => $("hint").click(),
      n: () => $("new-dialog").showModal(),
      "?": () => $("help-dialog").showModal(),
    };
    if (!keys[event.key] || !this.game) return;
    keys[event.key]();
    event.preventDefault();
  }

  // How things look.

  /** A mode of the page: play, puzzles or watch. */
  showMode(mode) {
    if (mode === this.mode) return;
    if (this.mode === "puzzles") this.puzzles.end();
    if (this.mode === "watch") this.watch.end();
    this.mode = mode;
    document.body.dataset.shows = mode;
    for (const button of document.querySelectorAll("[data-mode]")) {
      if (button.dataset.mode === mode) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    this.explain("");
    this.board.rest();
    if (mode === "play" && this.game) {
      this.board.flip(this.flipped);
      this.analysis.refresh();
      this.setShown(this.shown);
    } else if (mode === "puzzles") this.puzzles.begin();
    else if (mode === "watch") this.watch.begin();
  }

  /** Show something else than the game on the board. */
  showOn(mode, shape) {
    if (this.mode !== mode) return;
    this.board.flip(Boolean(shape.flipped));
    this.board.show({ number: `${mode} ${shape.number}`, ...shape });
    this.describe(shape);
    const players = shape.facts.map((facts, index) =>
      el(
        "li",
        { class: shape.to_move === index + 1 ? "to-move" : "" },
        `Player ${index + 1}: ${facts.join(", ")}`,
      ),
    );
    put($(`${mode}-players`), ...players);
  }

  facePlayer() {
    const [first, second] = this.game.people;
    this.setFlipped(this.game.game === "quoridor" && !first && second);
  }

  setFlipped(flipped) {
    this.flipped = flipped;
    if (this.mode === "play") this.board.flip(flipped);
    this.players.flip(flipped);
  }

  setPaths(on) {
    this.board.options.paths = on;
    if (this.board.shape) this.board.drawUnder();
  }

  nextTheme() {
    const order = ["auto", "light", "dark"];
    const next = order[(order.indexOf(kept.get("theme", "auto")) + 1) % order.length];
    kept.set("theme", next);
    setTheme(next);
    this.notice(`Colours: ${next}`);
  }

  explain(text, kind = "") {
    $("reason").textContent = text ?? "";
    $("reason").className = kind;
  }

  /** A line that goes away by itself. */
  notice(text) {
    const notice = $("notice");
    notice.textContent = text;
    if (notice.matches(":popover-open")) notice.hidePopover();
    notice.showPopover(); // above whatever dialog is open
    clearTimeout(this.noticeTimer);
    this.noticeTimer = setTimeout(() => notice.hidePopover(), 4000);
  }

  /** Said twice, the same words need a change to be heard. */
  say(text) {
    const region = $("speech");
    region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  }

  lineChanged(state, why) {
    document.body.dataset.line = state;
    $("offline").hidden = state === "open";
    $("wake").hidden = state !== "resting";
    $("offline-text").textContent =
      state === "resting" ? "This game rests." : why || "Connection lost. Coming back…";
  }
}

const goesOn = (before, game) => before.moves.every((move, ply) => move === game.moves[ply]);

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

new Page();
