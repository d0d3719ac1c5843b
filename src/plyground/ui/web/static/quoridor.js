// Geometry and drawing of the Quoridor board. The server says which moves are legal.

/**
 * @import { BoardState, QuoridorBoard } from "../types/messages.d.ts"
 * @import {
 *   BoardRenderer, HighlightOptions, Orientation, Piece, Point
 * } from "../types/page.d.ts"
 */

import { svg } from "./dom.js";
import { PLAYERS, playerIndex } from "./format.js";
import { t } from "./texts.js";

const CELL = 8;
const GAP = 2;
const PITCH = CELL + GAP;
const LETTERS = "abcdefghi";
const PLACE = /^[a-i][1-9][hv]?$/;

/**
 * Parse a cell or a wall. Columns and rows count from 0; row 0 is player 1's, at the bottom.
 *
 * @param {string} place
 * @returns {{ col: number, row: number, wall: Orientation | null }}
 */
function parse(place) {
  const wall = place[2] === "h" || place[2] === "v" ? place[2] : null;
  return { col: LETTERS.indexOf(place.charAt(0)), row: Number(place[1]) - 1, wall };
}

/**
 * @param {number} col
 * @param {number} row
 * @param {Orientation | null} [wall]
 */
function format(col, row, wall = null) {
  return `${LETTERS[col]}${row + 1}${wall ?? ""}`;
}

/**
 * @param {number} value
 * @param {number} most
 */
const clamp = (value, most) => Math.max(0, Math.min(most, value));

/** @implements {BoardRenderer} */
export class QuoridorRenderer {
  /** @param {number} size */
  constructor(size) {
    this.size = size;
    this.flipped = false;
    this.margin = 2 + size / 3;
    this.extent = size * PITCH - GAP + 2 * this.margin;
    this.width = this.height = this.extent;
    this.hasWalls = size > 1;
  }

  /** @param {BoardState} board */
  fits(board) {
    return "size" in board && board.size === this.size;
  }

  // Geometry.

  /** @param {string} place */
  contains(place) {
    const { col, row } = parse(place);
    return PLACE.test(place) && col < this.size && row < this.size;
  }

  /**
   * Return the centre of a cell or a wall.
   *
   * @param {string} place
   * @returns {Point}
   */
  center(place) {
    const { col, row, wall } = parse(place);
    const offset = wall ? 0.5 : 0;
    const x = this.margin + CELL / 2 + (col + offset) * PITCH;
    const y = this.extent - this.margin - CELL / 2 - (row + offset) * PITCH;
    return this.flipped ? { x: this.extent - x, y: this.extent - y } : { x, y };
  }

  /**
   * Return the cell or the wall at a point. A touch selects walls from further away than a mouse.
   *
   * @param {number} x
   * @param {number} y
   * @param {(place: string) => boolean} isLegal
   * @param {boolean} coarse
   */
  placeAt(x, y, isLegal, coarse) {
    const { right, up } = this.fromCorner(x, y);
    if (right < -0.2 || up < -0.2 || right > this.size + 0.2 || up > this.size + 0.2) return null;
    const last = this.size - 1;
    const cell = format(clamp(Math.floor(right), last), clamp(Math.floor(up), last));
    const vertical = nearestGap(right, last);
    const horizontal = nearestGap(up, last);
    const reach = coarse ? (isLegal(cell) ? 0.22 : 0.5) : 0.2;
    if (Math.min(vertical.distance, horizontal.distance) > reach) return cell;
    const slot = (/** @type {number} */ value) => clamp(Math.round(value) - 1, last - 1);
    return vertical.distance < horizontal.distance
      ? format(vertical.index, slot(up), "v")
      : format(slot(right), horizontal.index, "h");
  }

  /**
   * Return the distances of a point from the lower left corner of the board, in cells.
   *
   * @param {number} x
   * @param {number} y
   */
  fromCorner(x, y) {
    if (this.flipped) [x, y] = [this.extent - x, this.extent - y];
    return {
      right: (x - this.margin + GAP / 2) / PITCH,
      up: (this.extent - this.margin - y + GAP / 2) / PITCH,
    };
  }

  /**
   * Return the wall of an orientation that is nearest to a point; null beside the board.
   *
   * @param {number} x
   * @param {number} y
   * @param {Orientation} orientation
   */
  wallAt(x, y, orientation) {
    const { right, up } = this.fromCorner(x, y);
    const isOnBoard = (/** @type {number} */ value) => value > -0.5 && value < this.size + 0.5;
    if (!isOnBoard(right) || !isOnBoard(up)) return null;
    const slot = (/** @type {number} */ value) => clamp(Math.round(value) - 1, this.size - 2);
    return format(slot(right), slot(up), orientation);
  }

  /**
   * Return whether a finger at a point is on a wall.
   *
   * @param {string} place
   * @param {number} x
   * @param {number} y
   */
  isOnWall(place, x, y) {
    const center = this.center(place);
    const [dx, dy] = [Math.abs(x - center.x), Math.abs(y - center.y)];
    const [along, across] = parse(place).wall === "h" ? [dx, dy] : [dy, dx];
    return along < CELL + GAP && across < 1.1 * GAP;
  }

  /**
   * @param {string} place
   * @param {number} right
   * @param {number} down
   */
  step(place, right, down) {
    const { col, row, wall } = parse(place);
    const sign = this.flipped ? -1 : 1;
    const most = this.size - (wall ? 2 : 1);
    return format(clamp(col + right * sign, most), clamp(row - down * sign, most), wall);
  }

  /** @param {string} place */
  toggleWall(place) {
    const { col, row, wall } = parse(place);
    const most = this.size - 2;
    return wall ? format(col, row) : format(Math.min(col, most), Math.min(row, most), "h");
  }

  /** @param {string} place */
  rotateWall(place) {
    const { col, row, wall } = parse(place);
    return wall ? format(col, row, wall === "h" ? "v" : "h") : place;
  }

  /** @param {string} place */
  isWall(place) {
    return place.length === 3;
  }

  /** @param {QuoridorBoard} board */
  cursorStart(board) {
    return board.pawns[0];
  }

  // Drawing.

  drawBackground() {
    const group = svg("g", { class: "ground" });
    group.append(
      svg("rect", { class: "table", width: this.extent, height: this.extent, rx: this.margin / 2 }),
    );
    for (let row = 0; row < this.size; row++) {
      const goal = row === this.size - 1 ? " goal1" : row === 0 ? " goal2" : "";
      for (let col = 0; col < this.size; col++) {
        group.append(this.drawCell(format(col, row), `cell${goal}`));
      }
    }
    for (let i = 0; i < this.size; i++) {
      const edge = this.flipped ? this.size - 1 : 0;
      const column = this.center(format(i, edge));
      const row = this.center(format(edge, i));
      group.append(
        this.drawLabel(column.x, this.extent - this.margin / 2 + 0.1, LETTERS.charAt(i)),
        this.drawLabel(this.margin / 2, row.y + 0.1, String(i + 1)),
      );
    }
    return group;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} text
   */
  drawLabel(x, y, text) {
    return svg("text", { class: "label", x, y, "font-size": this.margin / 2 }, text);
  }

  /**
   * @param {string} cell
   * @param {string} className
   */
  drawCell(cell, className) {
    const { x, y } = this.center(cell);
    const half = CELL / 2;
    return svg("rect", {
      class: className,
      x: x - half,
      y: y - half,
      width: CELL,
      height: CELL,
      rx: 1,
    });
  }

  /**
   * Draw a wall, or a dot on a cell.
   *
   * @param {string} place
   * @param {string} className
   */
  drawMarker(place, className) {
    const { x, y } = this.center(place);
    const { wall } = parse(place);
    if (!wall) return svg("circle", { class: className, cx: x, cy: y, r: CELL * 0.3 });
    const long = 2 * CELL + GAP;
    const [width, height] = wall === "h" ? [long, GAP] : [GAP, long];
    return svg("rect", {
      class: className,
      x: x - width / 2,
      y: y - height / 2,
      width,
      height,
      rx: 0.6,
    });
  }

  /** @param {string} place */
  drawCursor(place) {
    return this.isWall(place) ? this.drawMarker(place, "cursor") : this.drawCell(place, "cursor");
  }

  /** @param {QuoridorBoard} board */
  pieces(board) {
    /** @type {Map<string, Piece>} */
    const pieces = new Map();
    for (const wall of board.walls) {
      const last = wall === board.last ? " last" : "";
      pieces.set(wall, { create: () => this.drawMarker(wall, "wall"), className: `wall${last}` });
    }
    for (const player of PLAYERS) {
      const { x, y } = this.center(board.pawns[playerIndex(player)]);
      pieces.set(`pawn${player}`, {
        create: () => drawPawn(player),
        className: `pawn player${player}`,
        transform: `translate(${x}px, ${y}px)`,
      });
    }
    return pieces;
  }

  /**
   * @param {QuoridorBoard} board
   * @param {string[]} places
   * @param {HighlightOptions} options
   */
  drawHighlights(board, places, options) {
    const group = svg("g");
    if (board.from && board.last) {
      group.append(this.drawCell(board.from, "lastcell"), this.drawCell(board.last, "lastcell"));
    }
    if (options.paths) {
      group.append(
        ...board.paths[0].map((cell) => {
          const { x, y } = this.center(cell);
          return svg("circle", { class: "path player1", cx: x - 1.6, cy: y, r: 0.95 });
        }),
        ...board.paths[1].map((cell) => {
          const { x, y } = this.center(cell);
          return svg("rect", {
            class: "path player2",
            x: x + 0.8,
            y: y - 0.8,
            width: 1.6,
            height: 1.6,
          });
        }),
      );
    }
    if (options.targets) {
      const cells = places.filter((place) => !this.isWall(place));
      group.append(...cells.map((cell) => this.drawMarker(cell, "target")));
    }
    return group;
  }

  // Texts for screen readers.

  /**
   * @param {string} place
   * @param {QuoridorBoard} board
   * @param {boolean} isLegal
   */
  describe(place, board, isLegal) {
    const { wall } = parse(place);
    if (wall) {
      const cell = place.slice(0, 2);
      const state = isLegal ? t("board.wall.legal") : t("board.wall.illegal");
      return wall === "h" ? t("board.wall.h", { cell, state }) : t("board.wall.v", { cell, state });
    }
    const pawn = board.pawns.indexOf(place);
    const space = isLegal ? t("board.cell.target") : t("board.cell.empty");
    const content = pawn < 0 ? space : t("board.cell.pawn", { player: pawn + 1 });
    return t("board.cell", { place, content });
  }

  /** @param {QuoridorBoard} board */
  summary(board) {
    const players = PLAYERS.map((player) => {
      const i = playerIndex(player);
      return t("board.summary.player", {
        player,
        cell: board.pawns[i],
        walls: t("count.walls", { count: board.left[i] }),
        steps: t("count.steps", { count: board.steps[i] }),
      });
    });
    const walls = board.walls.length
      ? t("board.summary.walls", { walls: board.walls.join(", ") })
      : t("board.summary.no-walls");
    return `${players.join(" ")} ${walls}`;
  }
}

/**
 * Return the gap between two columns or rows that is nearest to a position, and its distance.
 *
 * @param {number} position
 * @param {number} last index of the last column or row
 */
function nearestGap(position, last) {
  const nearest = clamp(Math.round(position), last) || 1;
  return { index: nearest - 1, distance: Math.abs(position - nearest) };
}

/** @param {1 | 2} player */
function drawPawn(player) {
  return svg(
    "g",
    {},
    drawPawnShape(player, "shadow", 3.1, 0.4),
    drawPawnShape(player, "body", 3, 0),
    svg("text", { class: "number", y: 0.15 }, String(player)),
  );
}

/**
 * Player 1's pawn is a circle, player 2's a square.
 *
 * @param {1 | 2} player
 * @param {string} className
 * @param {number} radius
 * @param {number} y
 */
function drawPawnShape(player, className, radius, y) {
  if (player === 1) return svg("circle", { class: className, r: radius, cy: y });
  const half = 0.87 * radius;
  return svg("rect", {
    class: className,
    x: -half,
    y: y - half,
    width: 2 * half,
    height: 2 * half,
    rx: 1.1,
  });
}
