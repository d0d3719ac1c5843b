// Puzzles: find the one move that wins. Progress is stored in this browser.

/**
 * @import { Position, PuzzleSolution, Send, ServerMessages, Welcome } from "../types/messages.d.ts"
 * @import { PuzzleProgress, ShowPosition, TextStyle } from "../types/page.d.ts"
 */

import { $ } from "./dom.js";
import { load, save } from "./storage.js";
import { t, translate } from "./texts.js";

const MOVE_MS = 700;

export class Puzzles {
  /**
   * @param {Send} send
   * @param {ShowPosition} showPosition
   * @param {(text: string) => void} announce
   */
  constructor(send, showPosition, announce) {
    this.send = send;
    this.showPosition = showPosition;
    this.announce = announce;
    this.count = 0;
    /** @type {Welcome["games"]} */
    this.games = {};
    this.number = 0;
    this.flipped = false;
    this.isFailed = false;
    this.isDone = false;
    this.timer = 0;
    $("puzzle-next").addEventListener("click", () => this.goTo(this.number + 1));
    $("puzzle-before").addEventListener("click", () => this.goTo(this.number - 1));
    $("puzzle-answer").addEventListener("click", () =>
      this.send("solve_puzzle", { number: this.number, move: null }),
    );
  }

  /** @param {Welcome} welcome */
  setGames({ puzzles, games }) {
    this.count = puzzles;
    this.games = games;
  }

  get progress() {
    return load("puzzles", { streak: 0, best: 0, solved: [], at: 0 });
  }

  /** @param {Partial<PuzzleProgress>} changes */
  saveProgress(changes) {
    save("puzzles", { ...this.progress, ...changes });
  }

  enter() {
    this.goTo(this.progress.at);
  }

  leave() {
    clearTimeout(this.timer);
  }

  /** @param {number} number */
  goTo(number) {
    clearTimeout(this.timer);
    this.number = (number + this.count) % this.count;
    this.saveProgress({ at: this.number });
    this.send("get_puzzle", { number: this.number });
  }

  /** @param {ServerMessages["puzzle"]} puzzle */
  showPuzzle(puzzle) {
    if (puzzle.number !== this.number) return;
    const game = this.games[puzzle.game];
    this.flipped = Boolean(game?.turns_board) && puzzle.to_move === 2;
    this.isFailed = this.isDone = false;
    $("puzzle-title").textContent = t("puzzle.title.number", {
      number: this.number + 1,
      count: this.count,
    });
    $("puzzle-level").textContent = `${game?.title} · ${t(`puzzle.level.${puzzle.level}`)}`;
    const task = t("puzzle.task", { player: puzzle.to_move ?? 1 });
    this.setText(task, "");
    this.announce(task);
    this.showProgress();
    this.show(puzzle);
  }

  /** @param {Position} position */
  show(position) {
    this.showPosition(position, String(this.number), this.flipped);
  }

  /** @param {string} move */
  play(move) {
    if (!this.isDone) this.send("solve_puzzle", { number: this.number, move });
  }

  /** @param {PuzzleSolution} solution */
  showSolution(solution) {
    if (solution.number !== this.number || this.isDone) return;
    if (solution.positions) {
      this.finish(solution);
      this.playLine(solution.positions, 1);
    } else {
      if (!this.isFailed) this.saveProgress({ streak: 0 });
      this.isFailed = true;
      this.setText(t("puzzle.wrong", { move: solution.move }), "bad");
    }
    this.showProgress();
  }

  /** @param {PuzzleSolution} solution */
  finish({ right, move, verdict }) {
    this.isDone = true;
    const { streak, best, solved } = this.progress;
    const newStreak = right && !this.isFailed ? streak + 1 : 0;
    this.saveProgress({
      streak: newStreak,
      best: Math.max(best, newStreak),
      solved: right ? [...new Set([...solved, this.number])] : solved,
    });
    const values = { move, verdict: translate(verdict) };
    const text = right ? t("puzzle.right", values) : t("puzzle.given-up", values);
    this.setText(text, right ? "good" : "");
  }

  /**
   * Show the solution move by move.
   *
   * @param {Position[]} positions
   * @param {number} ply
   */
  playLine(positions, ply) {
    const position = positions[ply];
    if (!position) return;
    this.show({ ...position, can_play: false, legal: [] });
    this.timer = setTimeout(() => this.playLine(positions, ply + 1), MOVE_MS);
  }

  /**
   * @param {string} text
   * @param {TextStyle} style
   */
  setText(text, style) {
    $("puzzle-text").textContent = text;
    $("puzzle-text").className = style;
  }

  showProgress() {
    const { streak, best, solved } = this.progress;
    const counts = { streak, best, solved: solved.length, count: this.count };
    $("puzzle-facts").textContent = t("puzzle.progress", counts);
    $("puzzle-answer").disabled = this.isDone;
  }
}
