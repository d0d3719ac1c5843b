// Puzzles: find the one move that wins. Streaks are kept in this browser.

import { $, kept } from "./dom.js";
import { capital } from "./format.js";

const STEP_MS = 700;

export class Puzzles {
  /** `send` talks to the server; `show(shape)` puts a position on the board. */
  constructor(send, show, say) {
    this.send = send;
    this.show = show;
    this.say = say;
    $("puzzle-next").addEventListener("click", () => this.go(this.number + 1));
    $("puzzle-before").addEventListener("click", () => this.go(this.number - 1));
    $("puzzle-answer").addEventListener("click", () =>
      this.send("solve_puzzle", { number: this.number, move: null }),
    );
  }

  offer(welcome) {
    this.count = welcome.puzzles;
  }

  get facts() {
    return kept.get("puzzles", { streak: 0, best: 0, solved: [], at: 0 });
  }

  begin() {
    this.go(this.facts.at);
  }

  /** Stop showing how it goes on. */
  end() {
    clearTimeout(this.timer);
  }

  go(number) {
    this.end();
    this.number = (number + this.count) % this.count;
    kept.set("puzzles", { ...this.facts, at: this.number });
    this.send("get_puzzle", { number: this.number });
  }

  hear(message) {
    if (message.number !== this.number) return;
    if (message.type === "puzzle") this.set(message);
    else this.judge(message);
  }

  set(puzzle) {
    this.puzzle = puzzle;
    this.failed = this.done = false;
    $("puzzle-title").textContent = `Puzzle ${this.number + 1} of ${this.count}`;
    $("puzzle-level").textContent =
      `${capital(puzzle.game)} · ${["easy", "medium", "hard"][puzzle.level - 1]}`;
    const task = `Player ${puzzle.to_move} moves. One move wins: find it.`;
    this.tell(task, "");
    this.say(task);
    this.drawFacts();
    this.show(this.facing(puzzle));
  }

  /** Seen by whoever is to find the move. */
  facing(position) {
    const flipped = this.puzzle.game === "quoridor" && this.puzzle.to_move === 2;
    return { ...position, flipped };
  }

  play(move) {
    if (!this.done) this.send("solve_puzzle", { number: this.number, move });
  }

  judge(solution) {
    if (this.done) return;
    const { facts } = this;
    if (!solution.right && !solution.given_up) {
      if (!this.failed) kept.set("puzzles", { ...facts, streak: 0 });
      this.failed = true;
      this.tell(`${solution.move} does not win. Try again.`, "bad");
    } else {
      this.done = true;
      const clean = solution.right && !this.failed;
      const streak = clean ? facts.streak + 1 : 0;
      const solved = new Set(facts.solved);
      if (solution.right) solved.add(this.number);
      kept.set("puzzles", {
        ...facts,
        streak,
        best: Math.max(facts.best, streak),
        solved: [...solved],
      });
      const found = solution.right ? `Right: ${solution.move}.` : `It was ${solution.move}.`;
      this.tell(`${found} ${solution.verdict}.`, solution.right ? "good" : "");
      this.playLine(solution.positions, 1);
    }
    this.drawFacts();
  }

  playLine(positions, ply) {
    this.show(this.facing({ ...positions[ply], can_play: false, legal: [] }));
    if (ply + 1 < positions.length) {
      this.timer = setTimeout(() => this.playLine(positions, ply + 1), STEP_MS);
    }
  }

  tell(text, kind) {
    $("puzzle-text").textContent = text;
    $("puzzle-text").className = kind;
  }

  drawFacts() {
    const { streak, best, solved } = this.facts;
    $("puzzle-facts").textContent =
      `Streak ${streak} · best ${best} · solved ${solved.length} of ${this.count}`;
    $("puzzle-answer").disabled = this.done;
  }
}
