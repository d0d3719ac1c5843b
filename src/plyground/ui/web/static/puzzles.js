// Puzzles: find the one move that wins, and win against the best defence.
//
// The server judges moves and computes ratings, but keeps nothing: the solver's progress is stored in
// this browser and sent along.

/**
 * @import {
 *   Position, PuzzleSolution, PuzzleSummary, Send, ServerMessages, Welcome
 * } from "../types/messages.d.ts"
 * @import { PuzzleActions, TextStyle } from "../types/page.d.ts"
 */

import { pushAddress, readAddress, replaceAddress } from "./address.js";
import { $, isInside } from "./dom.js";
import { announce, notify } from "./notices.js";
import { PuzzleFilter } from "./puzzle_filter.js";
import { load, save } from "./storage.js";
import { findText, t } from "./texts.js";

const MOVE_MS = 700;
const DAILY = "daily";

export class Puzzles {
  /**
   * @param {Send} send
   * @param {PuzzleActions} actions
   */
  constructor(send, actions) {
    this.send = send;
    this.actions = actions;
    this.count = 0;
    /** @type {Welcome["games"]} */
    this.games = {};
    /** @type {ServerMessages["puzzle"] | null} */
    this.puzzle = null;
    this.flipped = false;
    /** The moves so far: the solver's right ones, each followed by the defence. */
    this.moves = "";
    /** The position to play on from. @type {Position | null} */
    this.position = null;
    /** Positions of the line that is shown, a refutation or the solution. @type {Position[]} */
    this.line = [];
    this.ply = 0;
    this.isFailed = false;
    this.isDone = false;
    this.hints = 0;
    this.timer = 0;
    this.filter = new PuzzleFilter(() => this.goToNext());
    $("puzzle-next").addEventListener("click", () => this.goToNext());
    $("puzzle-daily").addEventListener("click", () => this.goToDaily());
    $("puzzle-hint").addEventListener("click", () => this.askForHint());
    $("puzzle-answer").addEventListener("click", () => this.solve(null));
    $("puzzle-retry").addEventListener("click", () => this.retry());
    $("puzzle-back").addEventListener("click", () => this.step(-1));
    $("puzzle-forward").addEventListener("click", () => this.step(1));
    document.addEventListener("keydown", (event) => this.onKeyDown(event));
  }

  /** @param {Welcome} welcome */
  setGames({ puzzles, games }) {
    this.count = puzzles.count;
    this.games = games;
    this.filter.setGames(puzzles, games);
  }

  /** The solver's progress, which the server reads and writes. */
  get progress() {
    return load("puzzle-progress", "");
  }

  /** Show the puzzle in the address, or the one that was shown last. */
  enter() {
    const { item } = readAddress();
    const { puzzle } = this;
    const number = /^[1-9]\d*$/.test(item) ? Number(item) : 0;
    const last = load("puzzle-at", 0);
    if (item && item !== DAILY && !this.has(number)) {
      notify(t("puzzle.unknown", { item, count: this.count }));
    }
    if (item === DAILY) this.request(0);
    else if (puzzle && (!item || puzzle.number === number)) {
      replaceAddress("puzzles", puzzle.number);
      this.showAgain(puzzle);
    } else if (this.has(number)) this.request(number);
    else if (this.has(last)) this.request(last);
    else this.requestNext();
  }

  /** @param {number} number */
  has(number) {
    return number >= 1 && number <= this.count;
  }

  leave() {
    clearTimeout(this.timer);
  }

  /** @param {number} number 0 is the puzzle of the day */
  request(number) {
    this.send("get_puzzle", { number, progress: this.progress });
  }

  requestNext() {
    const without = this.puzzle?.number ?? 0;
    this.send("next_puzzle", { progress: this.progress, without, ...this.filter.value });
  }

  goToNext() {
    pushAddress("puzzles");
    this.requestNext();
  }

  goToDaily() {
    pushAddress("puzzles", DAILY);
    this.request(0);
  }

  /** @param {ServerMessages["puzzle"]} puzzle */
  showPuzzle(puzzle) {
    if (readAddress().page !== "puzzles") return;
    clearTimeout(this.timer);
    this.puzzle = puzzle;
    save("puzzle-at", puzzle.number);
    replaceAddress("puzzles", puzzle.number);
    const game = this.games[puzzle.game];
    this.flipped = Boolean(game?.turns_board) && puzzle.to_move === 2;
    this.moves = "";
    this.position = puzzle;
    this.line = [];
    this.isFailed = this.isDone = false;
    this.hints = 0;
    this.showAbout(puzzle, game?.title ?? puzzle.game);
    const task = t("puzzle.task", { player: puzzle.to_move ?? 1 });
    this.setText(puzzle.is_solved ? `${task} ${t("puzzle.solved-before")}` : task, "");
    announce(task);
    this.showProgress(puzzle.summary, 0);
    this.showButtons();
    this.show(puzzle);
  }

  /**
   * @param {ServerMessages["puzzle"]} puzzle
   * @param {string} game
   */
  showAbout(puzzle, game) {
    const { number, rating, size } = puzzle;
    $("puzzle-title").textContent = puzzle.is_daily
      ? t("puzzle.title.daily", { number })
      : t("puzzle.title.number", { number, count: this.count });
    const level = findText("puzzle.level", puzzle.level) ?? puzzle.level;
    $("puzzle-level").textContent = t("puzzle.about", { game, size, level, rating });
    $("puzzle-themes").hidden = true;
  }

  /**
   * Come back to a puzzle.
   *
   * @param {ServerMessages["puzzle"]} puzzle
   */
  showAgain(puzzle) {
    this.show(this.line[this.ply] ?? this.position ?? puzzle);
  }

  /** @param {Position} position */
  show(position) {
    this.actions.showPosition(position, String(this.puzzle?.number), this.flipped);
  }

  // The solver's actions.

  /** @param {string} move */
  play(move) {
    if (!this.isDone && !this.line.length) this.solve(move);
  }

  /** @param {string | null} move null gives up */
  solve(move) {
    if (!this.puzzle || this.isDone) return;
    this.send("solve_puzzle", { number: this.puzzle.number, move, moves: this.moves });
  }

  askForHint() {
    if (!this.puzzle || this.isDone) return;
    this.retry();
    this.send("hint_puzzle", { number: this.puzzle.number, moves: this.moves });
  }

  /** Go back to the position before a wrong move. */
  retry() {
    if (this.isDone || !this.position) return;
    clearTimeout(this.timer);
    this.line = [];
    this.show(this.position);
    this.setText(t("puzzle.task", { player: this.position.to_move ?? 1 }), "");
    this.showButtons();
  }

  // Messages from the server.

  /** @param {ServerMessages["puzzle_hint"]} hint */
  showHint({ number, kind, move }) {
    if (number !== this.puzzle?.number || this.isDone) return;
    this.hints += 1;
    const text =
      this.hints === 1
        ? (findText("puzzle.kind", kind) ?? t("puzzle.kind.other"))
        : t("puzzle.hint.move", { move });
    if (this.hints > 1) this.actions.setHint(move);
    this.setText(text, "");
  }

  /** @param {PuzzleSolution} solution */
  showSolution(solution) {
    if (solution.number !== this.puzzle?.number || this.isDone) return;
    const { verdict, line, positions } = solution;
    const [move = "", ...rest] = line;
    if (verdict === "wrong") {
      this.fail();
      const values = { move, line: rest.join(" ") };
      this.setText(
        rest.length ? t("puzzle.wrong", values) : t("puzzle.wrong.short", values),
        "bad",
      );
    } else if (verdict === "right") {
      this.moves = solution.moves;
      this.position = positions.at(-1) ?? null;
      this.setText(t("puzzle.right", { move, reply: rest.join(" ") }), "good");
    } else this.finish(solution);
    this.playLine(positions, verdict === "right");
  }

  /** @param {PuzzleSolution} solution */
  finish({ verdict, line, themes }) {
    if (verdict === "shown") this.fail();
    this.isDone = true;
    const values = { move: line[0] ?? "", line: line.join(" ") };
    if (verdict === "shown") this.setText(t("puzzle.given-up", values), "");
    else if (this.isFailed) this.setText(t("puzzle.solved.late", values), "good");
    else {
      this.setText(t("puzzle.solved", values), "good");
      this.record(true);
    }
    const names = themes.map((theme) => findText("puzzle.theme", theme) ?? theme);
    $("puzzle-themes").hidden = !names.length;
    $("puzzle-themes").textContent = t("puzzle.themes", { themes: names.join(", ") });
  }

  /** The first mistake counts. */
  fail() {
    if (!this.isFailed) this.record(false);
    this.isFailed = true;
  }

  /** @param {boolean} isSolved */
  record(isSolved) {
    if (!this.puzzle) return;
    this.send("record_puzzle", {
      number: this.puzzle.number,
      is_solved: isSolved,
      used_hint: this.hints > 0,
      progress: this.progress,
    });
  }

  /** @param {ServerMessages["puzzle_progress"]} message */
  showRecorded({ number, progress, gained, summary }) {
    save("puzzle-progress", progress);
    if (number === this.puzzle?.number) this.showProgress(summary, gained);
  }

  // Lines on the board.

  /**
   * Show a line move by move. After a right move the solver then plays on; other lines stay.
   *
   * @param {Position[]} positions the first is before the line
   * @param {boolean} playsOn
   */
  playLine(positions, playsOn) {
    clearTimeout(this.timer);
    this.line = positions;
    this.ply = Math.min(1, positions.length - 1);
    const advance = () => {
      this.showLine();
      if (this.ply < positions.length - 1) {
        this.timer = setTimeout(() => {
          this.ply += 1;
          advance();
        }, MOVE_MS);
      } else if (playsOn) {
        this.line = [];
        this.showButtons();
      }
    };
    advance();
  }

  showLine() {
    const position = this.line[this.ply];
    if (position) this.show(position);
    this.showButtons();
  }

  /** @param {number} by */
  step(by) {
    if (!this.line[this.ply + by]) return;
    clearTimeout(this.timer);
    this.ply += by;
    this.showLine();
  }

  /** @param {KeyboardEvent} event */
  onKeyDown(event) {
    if (document.body.dataset.shows !== "puzzles" || !this.line.length) return;
    if (event.defaultPrevented) return; // the board's cursor has moved
    if (isInside(event, "input:not([type=checkbox]), select, textarea, dialog")) return;
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!by) return;
    event.preventDefault();
    this.step(by);
  }

  // Texts.

  /**
   * @param {string} text
   * @param {TextStyle} style
   */
  setText(text, style) {
    $("puzzle-text").textContent = text;
    $("puzzle-text").className = style;
  }

  showButtons() {
    const isWrong = this.line.length > 0 && !this.isDone;
    $("puzzle-steps").hidden = !this.line.length;
    $("puzzle-retry").hidden = !isWrong;
    $("puzzle-back").disabled = this.ply <= 0;
    $("puzzle-forward").disabled = this.ply >= this.line.length - 1;
    $("puzzle-answer").disabled = $("puzzle-hint").disabled = this.isDone;
  }

  /**
   * @param {PuzzleSummary} summary
   * @param {number} gained points of the rating
   */
  showProgress(summary, gained) {
    const { rating, streak, best, solved } = summary;
    const change = gained ? ` (${gained > 0 ? "+" : "−"}${Math.abs(gained)})` : "";
    const values = { rating, gained: change, streak, best, solved, count: this.count };
    $("puzzle-facts").textContent = t("puzzle.progress", values);
    const isSolved = summary.daily_solved;
    $("puzzle-daily").textContent = isSolved ? t("puzzle.daily.solved") : t("puzzle.daily");
  }
}
