// Reversi's board: where things are and how they look. What is legal comes from the server.

import { svg } from "./dom.js";

const PITCH = 10;
const RIM = 4.5;
const LETTERS = "abcdefgh";

export class ReversiBoard {
  constructor(size) {
    this.size = size;
    this.flipped = false;
    this.extent = size * PITCH + 2 * RIM;
  }

  static read(move) {
    return { col: LETTERS.indexOf(move[0]), row: Number(move[1]) - 1 };
  }

  static write(col, row) {
    return `${LETTERS[col]}${row + 1}`;
  }

  /** The middle of a square; a1 is at the top left. */
  middle(move) {
    const { col, row } = ReversiBoard.read(move);
    const x = RIM + (col + 0.5) * PITCH;
    const y = RIM + (row + 0.5) * PITCH;
    return this.flipped ? { x: this.extent - x, y: this.extent - y } : { x, y };
  }

  moveAt(x, y) {
    if (this.flipped) [x, y] = [this.extent - x, this.extent - y];
    const col = Math.floor((x - RIM) / PITCH);
    const row = Math.floor((y - RIM) / PITCH);
    const inside = col >= 0 && row >= 0 && col < this.size && row < this.size;
    return inside ? ReversiBoard.write(col, row) : null;
  }

  step(move, dx, dy) {
    const { col, row } = ReversiBoard.read(move);
    const turn = this.flipped ? -1 : 1;
    const clamp = (value) => Math.max(0, Math.min(this.size - 1, value));
    return ReversiBoard.write(clamp(col + dx * turn), clamp(row + dy * turn));
  }

  toggle(move) {
    return move;
  }

  ground() {
    const group = svg("g", { class: "ground felt" });
    group.append(svg("rect", { class: "table", width: this.extent, height: this.extent, rx: 2.2 }));
    for (let row = 0; row < this.size; row++) {
      for (let col = 0; col < this.size; col++) {
        group.append(this.square(ReversiBoard.write(col, row), "square"));
      }
    }
    for (let i = 0; i < this.size; i++) {
      const top = this.flipped ? this.size - 1 : 0;
      const column = this.middle(ReversiBoard.write(i, top));
      const row = this.middle(ReversiBoard.write(top, i));
      group.append(
        this.label(column.x, RIM / 2 + 0.1, LETTERS[i]),
        this.label(RIM / 2, row.y + 0.1, String(i + 1)),
      );
    }
    return group;
  }

  label(x, y, text) {
    return svg("text", { class: "label", x, y, "font-size": RIM / 2 }, text);
  }

  square(move, kind) {
    const { x, y } = this.middle(move);
    const half = PITCH / 2;
    return svg("rect", { class: kind, x: x - half, y: y - half, width: PITCH, height: PITCH });
  }

  mark(move, kind) {
    if (move === "pass") return svg("g");
    const { x, y } = this.middle(move);
    return svg("circle", { class: kind, cx: x, cy: y, r: kind.includes("target") ? 1.6 : 3.6 });
  }

  pieces(board) {
    const found = new Map();
    [...board.discs].forEach((who, index) => {
      if (who === ".") return;
      const move = ReversiBoard.write(index % this.size, Math.floor(index / this.size));
      const { x, y } = this.middle(move);
      const last = move === board.last ? " last" : "";
      found.set(`disc${move}`, {
        make: () =>
          svg("g", {}, svg("circle", { class: "body", r: 4.1 }), svg("circle", { class: "dot", r: 0.8 })),
        name: `disc player${who}${last}`,
        at: `translate(${x}px, ${y}px)`,
      });
    });
    return found;
  }

  under(board, legal, options) {
    const group = svg("g");
    if (board.last) group.append(this.square(board.last, "lastcell"));
    if (options.targets) {
      for (const move of legal) if (move !== "pass") group.append(this.mark(move, "target"));
    }
    return group;
  }

  cursor(move) {
    return this.square(move, "cursor");
  }

  isWall() {
    return false;
  }

  describe(move, shape) {
    const { col, row } = ReversiBoard.read(move);
    const disc = shape.board.discs[row * this.size + col];
    if (disc !== ".") return `${move}, ${disc === "1" ? "black" : "white"}`;
    return `${move}, ${shape.legal.includes(move) ? "you can play here" : "empty"}`;
  }

  summary(shape) {
    const count = (who) => [...shape.board.discs].filter((disc) => disc === who).length;
    return `Black has ${count("1")} discs, white ${count("2")}.`;
  }

  start() {
    return "d3";
  }
}
