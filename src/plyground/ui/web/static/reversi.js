// Geometry and drawing of the Reversi board. The server says which moves are legal.

/**
 * @import { ReversiBoard } from "../types/messages.d.ts"
 * @import { BoardRenderer, HighlightOptions, Piece, Point } from "../types/page.d.ts"
 */

import { svg } from "./dom.js";
import { count } from "./format.js";

const PITCH = 10;
const MARGIN = 4.5;
const LETTERS = "abcdefgh";

/** @param {string} move */
function parse(move) {
  return { col: LETTERS.indexOf(move.charAt(0)), row: Number(move[1]) - 1 };
}

/**
 * @param {number} col
 * @param {number} row
 */
function format(col, row) {
  return `${LETTERS[col]}${row + 1}`;
}

/** @implements {BoardRenderer} */
export class ReversiRenderer {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    this.flipped = false;
    this.extent = size * PITCH + 2 * MARGIN;
  }

  // Geometry.

  /**
   * Return the centre of a square; a1 is at the top left.
   *
   * @param {string} move
   * @returns {Point}
   */
  center(move) {
    const { col, row } = parse(move);
    const x = MARGIN + (col + 0.5) * PITCH;
    const y = MARGIN + (row + 0.5) * PITCH;
    return this.flipped ? { x: this.extent - x, y: this.extent - y } : { x, y };
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  moveAt(x, y) {
    if (this.flipped) [x, y] = [this.extent - x, this.extent - y];
    const col = Math.floor((x - MARGIN) / PITCH);
    const row = Math.floor((y - MARGIN) / PITCH);
    const isOnBoard = col >= 0 && row >= 0 && col < this.size && row < this.size;
    return isOnBoard ? format(col, row) : null;
  }

  /**
   * @param {string} move
   * @param {number} right
   * @param {number} down
   */
  step(move, right, down) {
    const { col, row } = parse(move);
    const sign = this.flipped ? -1 : 1;
    const clamp = (/** @type {number} */ value) => Math.max(0, Math.min(this.size - 1, value));
    return format(clamp(col + right * sign), clamp(row + down * sign));
  }

  /** @param {string} move */
  toggleWall(move) {
    return move;
  }

  /** @param {string} move */
  rotateWall(move) {
    return move;
  }

  isWall() {
    return false;
  }

  cursorStart() {
    return "d3";
  }

  // Drawing.

  drawBackground() {
    const group = svg("g", { class: "ground felt" });
    group.append(svg("rect", { class: "table", width: this.extent, height: this.extent, rx: 2.2 }));
    for (let row = 0; row < this.size; row++) {
      for (let col = 0; col < this.size; col++) {
        group.append(this.drawSquare(format(col, row), "square"));
      }
    }
    for (let i = 0; i < this.size; i++) {
      const edge = this.flipped ? this.size - 1 : 0;
      const column = this.center(format(i, edge));
      const row = this.center(format(edge, i));
      group.append(
        drawLabel(column.x, MARGIN / 2 + 0.1, LETTERS.charAt(i)),
        drawLabel(MARGIN / 2, row.y + 0.1, String(i + 1)),
      );
    }
    return group;
  }

  /**
   * @param {string} move
   * @param {string} className
   */
  drawSquare(move, className) {
    const { x, y } = this.center(move);
    const half = PITCH / 2;
    return svg("rect", { class: className, x: x - half, y: y - half, width: PITCH, height: PITCH });
  }

  /**
   * @param {string} move
   * @param {string} className
   */
  drawMarker(move, className) {
    if (move === "pass") return svg("g");
    const { x, y } = this.center(move);
    const radius = className.includes("target") ? 1.6 : 3.6;
    return svg("circle", { class: className, cx: x, cy: y, r: radius });
  }

  /** @param {string} move */
  drawCursor(move) {
    return this.drawSquare(move, "cursor");
  }

  /** @param {ReversiBoard} board */
  pieces(board) {
    /** @type {Map<string, Piece>} */
    const pieces = new Map();
    [...board.discs].forEach((disc, square) => {
      if (disc === ".") return;
      const move = format(square % this.size, Math.floor(square / this.size));
      const { x, y } = this.center(move);
      const last = move === board.last ? " last" : "";
      pieces.set(`disc${move}`, {
        create: drawDisc,
        className: `disc player${disc}${last}`,
        transform: `translate(${x}px, ${y}px)`,
      });
    });
    return pieces;
  }

  /**
   * @param {ReversiBoard} board
   * @param {string[]} legal
   * @param {HighlightOptions} options
   */
  drawHighlights(board, legal, options) {
    const group = svg("g");
    if (board.last) group.append(this.drawSquare(board.last, "lastcell"));
    if (options.targets) {
      const squares = legal.filter((move) => move !== "pass");
      group.append(...squares.map((square) => this.drawMarker(square, "target")));
    }
    return group;
  }

  // Texts for screen readers.

  /**
   * @param {string} move
   * @param {ReversiBoard} board
   * @param {string[]} legal
   */
  describe(move, board, legal) {
    const { col, row } = parse(move);
    const disc = board.discs[row * this.size + col];
    if (disc !== ".") return `${move}, ${disc === "1" ? "black" : "white"}`;
    return `${move}, ${legal.includes(move) ? "you can play here" : "empty"}`;
  }

  /** @param {ReversiBoard} board */
  summary(board) {
    const discs = (/** @type {string} */ disc) => board.discs.split(disc).length - 1;
    return `Black has ${count(discs("1"), "disc")}, white ${discs("2")}.`;
  }
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} text
 */
function drawLabel(x, y, text) {
  return svg("text", { class: "label", x, y, "font-size": MARGIN / 2 }, text);
}

function drawDisc() {
  return svg(
    "g",
    {},
    svg("circle", { class: "body", r: 4.1 }),
    svg("circle", { class: "dot", r: 0.8 }),
  );
}
