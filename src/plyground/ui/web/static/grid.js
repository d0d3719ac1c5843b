// Geometry and drawing of a grid of squares with discs. The server says which moves are legal.

/**
 * @import { BoardState, GridBoard } from "../types/messages.d.ts"
 * @import { BoardRenderer, HighlightOptions, Piece, Point } from "../types/page.d.ts"
 */

import { svg } from "./dom.js";
import { t } from "./texts.js";

const PITCH = 10;
const MARGIN = 4.5;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
const PLACE = /^[a-z][1-9]\d*$/;

/** @param {string} place */
function parse(place) {
  return { col: LETTERS.indexOf(place.charAt(0)), row: Number(place.slice(1)) - 1 };
}

/**
 * @param {number} col
 * @param {number} row
 */
function format(col, row) {
  return `${LETTERS[col]}${row + 1}`;
}

/**
 * @param {number} value
 * @param {number} most
 */
const clamp = (value, most) => Math.max(0, Math.min(most, value));

/** @implements {BoardRenderer} */
export class GridRenderer {
  /**
   * @param {number} rows
   * @param {number} columns
   */
  constructor(rows, columns) {
    this.rows = rows;
    this.columns = columns;
    this.flipped = false;
    this.hasWalls = false;
    this.width = columns * PITCH + 2 * MARGIN;
    this.height = rows * PITCH + 2 * MARGIN;
  }

  /** @param {BoardState} board */
  fits(board) {
    return board.kind === "grid" && board.rows === this.rows && board.columns === this.columns;
  }

  // Geometry.

  /** @param {string} place */
  contains(place) {
    const { col, row } = parse(place);
    return PLACE.test(place) && col < this.columns && row < this.rows;
  }

  /**
   * Return the centre of a square; a1 is at the top left.
   *
   * @param {string} place
   * @returns {Point}
   */
  center(place) {
    const { col, row } = parse(place);
    const x = MARGIN + (col + 0.5) * PITCH;
    const y = MARGIN + (row + 0.5) * PITCH;
    return this.flipped ? { x: this.width - x, y: this.height - y } : { x, y };
  }

  /**
   * @param {number} x
   * @param {number} y
   */
  placeAt(x, y) {
    if (this.flipped) [x, y] = [this.width - x, this.height - y];
    const col = Math.floor((x - MARGIN) / PITCH);
    const row = Math.floor((y - MARGIN) / PITCH);
    const isOnBoard = col >= 0 && row >= 0 && col < this.columns && row < this.rows;
    return isOnBoard ? format(col, row) : null;
  }

  /**
   * @param {string} place
   * @param {number} right
   * @param {number} down
   */
  step(place, right, down) {
    const { col, row } = parse(place);
    const sign = this.flipped ? -1 : 1;
    return format(
      clamp(col + right * sign, this.columns - 1),
      clamp(row + down * sign, this.rows - 1),
    );
  }

  /** @param {string} place */
  toggleWall(place) {
    return place;
  }

  /** @param {string} place */
  rotateWall(place) {
    return place;
  }

  isWall() {
    return false;
  }

  wallAt() {
    return null;
  }

  isOnWall() {
    return false;
  }

  cursorStart() {
    return format(Math.floor((this.columns - 1) / 2), Math.floor((this.rows - 1) / 2));
  }

  // Drawing.

  drawBackground() {
    const group = svg("g", { class: "ground felt" });
    group.append(svg("rect", { class: "table", width: this.width, height: this.height, rx: 2.2 }));
    for (let row = 0; row < this.rows; row++) {
      for (let col = 0; col < this.columns; col++) {
        group.append(this.drawSquare(format(col, row), "square"));
      }
    }
    for (let col = 0; col < this.columns; col++) {
      const { x } = this.center(format(col, 0));
      group.append(drawLabel(x, MARGIN / 2 + 0.1, LETTERS.charAt(col)));
    }
    for (let row = 0; row < this.rows; row++) {
      const { y } = this.center(format(0, row));
      group.append(drawLabel(MARGIN / 2, y + 0.1, String(row + 1)));
    }
    return group;
  }

  /**
   * @param {string} place
   * @param {string} className
   */
  drawSquare(place, className) {
    const { x, y } = this.center(place);
    const half = PITCH / 2;
    return svg("rect", { class: className, x: x - half, y: y - half, width: PITCH, height: PITCH });
  }

  /**
   * @param {string} place
   * @param {string} className
   */
  drawMarker(place, className) {
    const { x, y } = this.center(place);
    const radius = className.includes("target") ? 1.6 : 3.6;
    return svg("circle", { class: className, cx: x, cy: y, r: radius });
  }

  /** @param {string} place */
  drawCursor(place) {
    return this.drawSquare(place, "cursor");
  }

  /** @param {GridBoard} board */
  pieces(board) {
    /** @type {Map<string, Piece>} */
    const pieces = new Map();
    [...board.discs].forEach((disc, square) => {
      if (disc === ".") return;
      const place = format(square % this.columns, Math.floor(square / this.columns));
      const { x, y } = this.center(place);
      const last = place === board.last ? " last" : "";
      pieces.set(`disc${place}`, {
        create: drawDisc,
        className: `disc player${disc}${last}`,
        transform: `translate(${x}px, ${y}px)`,
      });
    });
    return pieces;
  }

  /**
   * @param {GridBoard} board
   * @param {string[]} places
   * @param {HighlightOptions} options
   */
  drawHighlights(board, places, options) {
    const group = svg("g");
    if (board.last) group.append(this.drawSquare(board.last, "lastcell"));
    if (options.targets) group.append(...places.map((place) => this.drawMarker(place, "target")));
    return group;
  }

  // Texts for screen readers.

  /**
   * @param {string} place
   * @param {GridBoard} board
   * @param {boolean} isLegal
   */
  describe(place, board, isLegal) {
    const { col, row } = parse(place);
    const disc = board.discs[row * this.columns + col];
    const piece = disc === "1" ? t("board.square.black") : t("board.square.white");
    const space = isLegal ? t("board.square.target") : t("board.cell.empty");
    return t("board.cell", { place, content: disc === "." ? space : piece });
  }

  /** @param {GridBoard} board */
  summary(board) {
    const discs = (/** @type {string} */ disc) => board.discs.split(disc).length - 1;
    const black = t("count.discs", { count: discs("1") });
    return t("board.summary.discs", { black, white: discs("2") });
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
