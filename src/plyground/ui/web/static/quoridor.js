// Quoridor's board: where things are and how they look. What is legal comes from the server.

import { svg } from "./dom.js";

const CELL = 8;
const GAP = 2;
const PITCH = CELL + GAP;
const LETTERS = "abcdefghi";

export class QuoridorBoard {
  constructor(size) {
    this.size = size;
    this.flipped = false;
    this.rim = 2 + size / 3;
    this.extent = size * PITCH - GAP + 2 * this.rim;
  }

  // Geometry. A cell or slot has a column and a row from 0; row 0 is player 1's, at the bottom.

  static read(move) {
    return { col: LETTERS.indexOf(move[0]), row: Number(move[1]) - 1, wall: move[2] ?? null };
  }

  static write(col, row, wall = null) {
    return `${LETTERS[col]}${row + 1}${wall ?? ""}`;
  }

  /** The middle of a cell, or of a slot. */
  middle(move) {
    const { col, row, wall } = QuoridorBoard.read(move);
    const step = wall ? 0.5 : 0;
    const x = this.rim + CELL / 2 + (col + step) * PITCH;
    const y = this.extent - this.rim - CELL / 2 - (row + step) * PITCH;
    return this.flipped ? { x: this.extent - x, y: this.extent - y } : { x, y };
  }

  /** The move that pointing there means. Fingers may miss a gap by more than a mouse. */
  moveAt(x, y, isTarget, coarse) {
    if (this.flipped) [x, y] = [this.extent - x, this.extent - y];
    const across = (x - this.rim + GAP / 2) / PITCH;
    const up = (this.extent - this.rim - y + GAP / 2) / PITCH;
    if (across < -0.2 || up < -0.2 || across > this.size + 0.2 || up > this.size + 0.2) return null;
    const last = this.size - 1;
    const within = (value, most) => Math.max(0, Math.min(most, value));
    const col = within(Math.floor(across), last);
    const row = within(Math.floor(up), last);
    const cell = QuoridorBoard.write(col, row);
    // How far from the nearest gap between two columns, and between two rows, in cells.
    const edge = (value) => {
      const nearest = within(Math.round(value), last) || 1;
      return { between: nearest - 1, far: Math.abs(value - nearest) };
    };
    const vertical = edge(across);
    const horizontal = edge(up);
    const reach = coarse ? (isTarget(cell) ? 0.22 : 0.5) : 0.2;
    if (Math.min(vertical.far, horizontal.far) > reach) return cell;
    const centre = (value) => within(Math.round(value) - 1, last - 1);
    return vertical.far < horizontal.far
      ? QuoridorBoard.write(vertical.between, centre(up), "v")
      : QuoridorBoard.write(centre(across), horizontal.between, "h");
  }

  /** Where an arrow key leads. */
  step(move, dx, dy) {
    const { col, row, wall } = QuoridorBoard.read(move);
    const turn = this.flipped ? -1 : 1;
    const most = this.size - (wall ? 2 : 1);
    const clamp = (value) => Math.max(0, Math.min(most, value));
    return QuoridorBoard.write(clamp(col + dx * turn), clamp(row - dy * turn), wall);
  }

  /** From a cell to a wall beside it and back, or to the wall across. */
  toggle(move, how) {
    const { col, row, wall } = QuoridorBoard.read(move);
    const most = this.size - 2;
    if (how === "turn") return wall ? QuoridorBoard.write(col, row, wall === "h" ? "v" : "h") : move;
    if (wall) return QuoridorBoard.write(col, row);
    return QuoridorBoard.write(Math.min(col, most), Math.min(row, most), "h");
  }

  // Drawing.

  /** What never changes. */
  ground() {
    const group = svg("g", { class: "ground" });
    group.append(svg("rect", { class: "table", width: this.extent, height: this.extent, rx: this.rim / 2 }));
    for (let row = 0; row < this.size; row++) {
      for (let col = 0; col < this.size; col++) {
        const { x, y } = this.middle(QuoridorBoard.write(col, row));
        const goal = row === this.size - 1 ? " goal1" : row === 0 ? " goal2" : "";
        group.append(
          svg("rect", {
            class: `cell${goal}`, x: x - CELL / 2, y: y - CELL / 2, width: CELL, height: CELL, rx: 1,
          }),
        );
      }
    }
    for (let i = 0; i < this.size; i++) {
      const below = this.flipped ? this.size - 1 : 0;
      const column = this.middle(QuoridorBoard.write(i, below));
      const row = this.middle(QuoridorBoard.write(below, i));
      group.append(
        this.label(column.x, this.extent - this.rim / 2 + 0.1, LETTERS[i]),
        this.label(this.rim / 2, row.y + 0.1, String(i + 1)),
      );
    }
    return group;
  }

  label(x, y, text) {
    return svg("text", { class: "label", x, y, "font-size": this.rim / 2 }, text);
  }

  /** A wall or a dot on a cell, for previews, hints, lines and heat. */
  mark(move, kind) {
    const { x, y } = this.middle(move);
    const { wall } = QuoridorBoard.read(move);
    if (!wall) return svg("circle", { class: kind, cx: x, cy: y, r: CELL * 0.3 });
    const long = 2 * CELL + GAP;
    const [width, height] = wall === "h" ? [long, GAP] : [GAP, long];
    return svg("rect", { class: kind, x: x - width / 2, y: y - height / 2, width, height, rx: 0.6 });
  }

  /** The pieces of a position: elements by name, so that what stays can move. */
  pieces(board) {
    const found = new Map();
    for (const wall of board.walls) {
      const last = wall === board.last ? " last" : "";
      found.set(wall, { make: () => this.mark(wall, "wall"), name: `wall${last}` });
    }
    board.pawns.forEach((cell, index) => {
      const { x, y } = this.middle(cell);
      found.set(`pawn${index + 1}`, {
        make: () => pawn(index + 1),
        name: `pawn player${index + 1}`,
        at: `translate(${x}px, ${y}px)`,
      });
    });
    return found;
  }

  /** What lies under the pieces: the last move, targets, paths. */
  under(board, legal, options) {
    const group = svg("g");
    if (board.from) {
      for (const cell of [board.from, board.last]) group.append(this.square(cell, "lastcell"));
    }
    if (options.paths) {
      board.paths.forEach((path, index) => {
        const side = (index === 0 ? -1 : 1) * 1.6;
        for (const cell of path) {
          const { x, y } = this.middle(cell);
          const kind = { class: `path player${index + 1}` };
          group.append(
            index === 0
              ? svg("circle", { ...kind, cx: x + side, cy: y, r: 0.95 })
              : svg("rect", { ...kind, x: x + side - 0.8, y: y - 0.8, width: 1.6, height: 1.6 }),
          );
        }
      });
    }
    if (options.targets) {
      for (const move of legal) {
        if (!QuoridorBoard.read(move).wall) group.append(this.mark(move, "target"));
      }
    }
    return group;
  }

  square(cell, kind) {
    const { x, y } = this.middle(cell);
    const half = CELL / 2;
    return svg("rect", { class: kind, x: x - half, y: y - half, width: CELL, height: CELL, rx: 1 });
  }

  /** A frame round a cell, for the keyboard. */
  cursor(move) {
    return QuoridorBoard.read(move).wall
      ? this.mark(move, "cursor")
      : this.square(move, "cursor");
  }

  isWall(move) {
    return move.length === 3;
  }

  /** What is at a place, in words. */
  describe(move, shape) {
    const legal = shape.legal.includes(move);
    const { wall } = QuoridorBoard.read(move);
    const place = move.slice(0, 2);
    if (wall) {
      const way = wall === "h" ? "horizontal" : "vertical";
      return `${way} wall ${place}, ${legal ? "possible" : "not possible"}`;
    }
    const who = shape.board.pawns.indexOf(move);
    const what = who >= 0 ? `pawn of player ${who + 1}` : legal ? "you can move here" : "empty";
    return `${place}, ${what}`;
  }

  /** The whole position in words. */
  summary(shape) {
    const { board } = shape;
    const players = [0, 1].map(
      (i) =>
        `Player ${i + 1} on ${board.pawns[i]}, ${board.left[i]} walls left, ` +
        `${board.steps[i]} steps to go.`,
    );
    const walls = board.walls.length ? `Walls: ${board.walls.join(", ")}.` : "No walls.";
    return `${players.join(" ")} ${walls}`;
  }

  start(board) {
    return board.pawns[0];
  }
}

function pawn(player) {
  const shape = (kind, size, y) =>
    player === 1
      ? svg("circle", { class: kind, r: size, cy: y })
      : svg("rect", {
          class: kind, x: -0.87 * size, y: y - 0.87 * size, width: 1.74 * size, height: 1.74 * size, rx: 1.1,
        });
  return svg(
    "g",
    {},
    shape("shadow", 3.1, 0.4),
    shape("body", 3, 0),
    svg("text", { class: "number", y: 0.15 }, String(player)),
  );
}
