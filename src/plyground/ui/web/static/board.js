// The board on the page: draws what the server says, and turns pointing, touching and keys into moves.

import { put, svg } from "./dom.js";
import { QuoridorBoard } from "./quoridor.js";
import { ReversiBoard } from "./reversi.js";

const BOARDS = { quoridor: QuoridorBoard, reversi: ReversiBoard };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /**
   * `play(move)` plays; `why(move)` promises the reason why not; `explain(text, kind)` shows a line
   * below the board; `say(text)` speaks it; `type(letter)` begins typing a move.
   */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    this.options = { targets: true, paths: false };
    this.preview = null;
    this.cursor = null;
    this.pieces = new Map();
    this.layers = {};
    for (const name of ["ground", "under", "heat", "pieces", "line", "over"]) {
      this.layers[name] = svg("g", { class: `layer-${name}` });
    }
    element.append(hatching(), ...Object.values(this.layers));
    element.addEventListener("pointermove", (event) => this.pointed(event));
    element.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.setPreview(null);
    });
    element.addEventListener("pointerdown", (event) => {
      this.touched = event.pointerType !== "mouse";
    });
    element.addEventListener("click", (event) => this.clicked(event));
    element.addEventListener("keydown", (event) => this.pressed(event));
    element.addEventListener("blur", () => this.setCursor(null));
  }

  /** Show a position: `shape` as the server sends it. */
  show(shape) {
    const fresh =
      !this.shape || this.shape.game !== shape.game || this.shape.board.size !== shape.board.size;
    const moved = fresh || this.shape.ply !== shape.ply || this.shape.number !== shape.number;
    this.shape = shape;
    this.legal = new Set(shape.can_play ? shape.legal : []);
    if (fresh) {
      const flipped = this.geometry?.flipped ?? false;
      this.geometry = new BOARDS[shape.game](shape.board.size);
      this.geometry.flipped = flipped;
      this.redrawGround();
    }
    if (moved) {
      this.setPreview(null);
      this.setLine(null);
      this.setHeat(null);
      put(this.layers.over);
    }
    this.drawPieces();
    this.drawUnder();
    if (this.cursor) this.setCursor(this.cursor);
    this.element.classList.toggle("mine", Boolean(shape.can_play));
    this.element.classList.toggle("on-felt", shape.game === "reversi");
  }

  /** Nothing can be played here until something else is shown. */
  rest() {
    if (this.shape) this.show({ ...this.shape, legal: [], can_play: false, number: null });
  }

  flip(flipped) {
    if (!this.geometry || this.geometry.flipped === flipped) return;
    this.geometry.flipped = flipped;
    this.redrawGround();
    this.drawPieces();
    this.drawUnder();
    this.setPreview(null);
    this.setLine(this.line);
    this.setHeat(this.heat);
    if (this.cursor) this.setCursor(this.cursor);
  }

  redrawGround() {
    const { extent } = this.geometry;
    this.element.setAttribute("viewBox", `0 0 ${extent} ${extent}`);
    put(this.layers.ground, this.geometry.ground());
    for (const piece of this.pieces.values()) piece.remove();
    this.pieces.clear();
  }

  /** Pieces that stay keep their elements, so that they glide. */
  drawPieces() {
    const wanted = this.geometry.pieces(this.shape.board);
    for (const [name, piece] of this.pieces) {
      if (!wanted.has(name)) {
        piece.remove();
        this.pieces.delete(name);
      }
    }
    for (const [name, { make, name: kind, at }] of wanted) {
      let piece = this.pieces.get(name);
      if (!piece) {
        piece = make();
        this.pieces.set(name, piece);
        this.layers.pieces.append(piece);
      }
      if (piece.getAttribute("class") !== kind) piece.setAttribute("class", kind);
      if (at) piece.style.transform = at;
    }
  }

  drawUnder() {
    const targets = this.options.targets && this.shape.can_play;
    const options = { ...this.options, targets };
    put(this.layers.under, this.geometry.under(this.shape.board, this.shape.legal, options));
  }

  // What is shown on top.

  /** A hint: the move in a ring or as a ghost. */
  setHint(move) {
    put(this.layers.over, move && move !== "pass" ? this.geometry.mark(move, "hint") : null);
  }

  /** A line of the engine: arrows for pawns, ghosts for walls and discs, numbered. */
  setLine(line) {
    this.line = line;
    put(this.layers.line);
    if (!line) return;
    const seen = new Set();
    line.forEach((step, index) => {
      if (step.move === "pass") return;
      const to = this.geometry.middle(step.move);
      const strength = `step player${step.player}${index === 0 ? " first" : ""}`;
      const isStep = step.from && !this.geometry.isWall(step.move);
      if (isStep) this.layers.line.append(arrow(this.geometry.middle(step.from), to, strength));
      else this.layers.line.append(this.geometry.mark(step.move, strength));
      if (seen.has(step.move)) return;
      seen.add(step.move);
      this.layers.line.append(
        svg("circle", { class: `badge player${step.player}`, cx: to.x, cy: to.y, r: 1.5 }),
        svg("text", { class: "badge-number", x: to.x, y: to.y + 0.1 }, String(index + 1)),
      );
    });
  }

  /** How much the network likes each move. */
  setHeat(moves) {
    this.heat = moves;
    put(this.layers.heat);
    if (!moves) return;
    const most = Math.max(...Object.values(moves));
    for (const [move, share] of Object.entries(moves)) {
      if (move === "pass") continue;
      const mark = this.geometry.mark(move, "heat");
      mark.style.opacity = 0.15 + 0.85 * Math.sqrt(share / most);
      mark.append(svg("title", {}, `${move}: ${(100 * share).toFixed(1)}%`));
      this.layers.heat.append(mark);
    }
  }

  /** The move under the pointer, the finger or the keys, before it is played. */
  setPreview(move) {
    if (move === this.preview) return;
    this.preview = move;
    this.ghost?.remove();
    this.ghost = null;
    this.actions.explain("");
    if (!move) return;
    const legal = this.legal.has(move);
    if (!legal && !this.geometry.isWall(move)) return;
    const { x, y } = this.geometry.middle(move);
    const mover = ` player${this.shape.to_move}`;
    this.ghost = svg("g", { class: `preview ${legal ? "legal" : "illegal"}${mover}` });
    this.ghost.append(this.geometry.mark(move, "ghost"));
    if (!legal) this.ghost.append(svg("path", { class: "cross", d: cross(x, y, 1.6) }));
    this.layers.over.append(this.ghost);
    if (!legal) this.explainPreview(move);
  }

  async explainPreview(move) {
    const reason = await this.actions.why(move);
    if (this.preview === move && reason) this.actions.explain(reason, "bad");
  }

  // Pointing and touching.

  at(event, coarse) {
    const point = new DOMPoint(event.clientX, event.clientY);
    const { x, y } = point.matrixTransform(this.element.getScreenCTM().inverse());
    return this.geometry.moveAt(x, y, (move) => this.legal.has(move), coarse);
  }

  pointed(event) {
    if (!this.shape?.can_play || event.pointerType !== "mouse") return;
    this.setPreview(this.at(event, false));
  }

  clicked(event) {
    if (!this.shape?.can_play) return;
    const move = this.at(event, this.touched);
    if (!move) return;
    const isWall = this.geometry.isWall(move);
    if (!this.legal.has(move)) {
      this.setPreview(move);
      if (!isWall) this.explainPreview(move);
      return;
    }
    // A finger sees the wall first, and places it with a second tap.
    if (this.touched && isWall && this.preview !== move) {
      this.setPreview(move);
      this.actions.explain(`Tap again to place ${move}`, "good");
      return;
    }
    this.setPreview(null);
    this.actions.play(move);
  }

  // Keys.

  setCursor(move) {
    this.cursor = move;
    this.frame?.remove();
    this.frame = null;
    if (!move) return;
    this.frame = this.geometry.cursor(move);
    this.layers.over.append(this.frame);
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.shape) return;
    const from = this.cursor ?? this.geometry.start(this.shape.board);
    const { key } = event;
    if (key in ARROWS) this.walk(this.cursor ? this.geometry.step(from, ...ARROWS[key]) : from);
    else if (key === "w" || key === "W") this.walk(this.geometry.toggle(from, "wall"));
    else if (key === "r" || key === "R" || key === " ") {
      this.walk(this.geometry.toggle(from, "turn"));
    } else if (key === "Enter") this.enter();
    else if (key === "Escape") this.setPreview(null);
    else if (/^[a-ip1-9]$/i.test(key)) this.actions.type(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  walk(move) {
    this.setCursor(move);
    this.setPreview(this.geometry.isWall(move) || this.legal.has(move) ? move : null);
    this.actions.say(this.geometry.describe(move, this.shape));
  }

  async enter() {
    const move = this.cursor;
    if (!move || !this.shape.can_play) return;
    if (this.legal.has(move)) this.actions.play(move);
    else {
      const reason = await this.actions.why(move);
      this.actions.explain(reason, "bad");
      this.actions.say(reason);
    }
  }
}

const cross = (x, y, r) => `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;

function arrow(from, to, kind) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - 1.2 * ux, y: to.y - 1.2 * uy };
  const neck = { x: tip.x - 2.2 * ux, y: tip.y - 2.2 * uy };
  const d =
    `M${from.x} ${from.y}L${neck.x} ${neck.y}` +
    `M${tip.x} ${tip.y}L${neck.x - 1.5 * uy} ${neck.y + 1.5 * ux}` +
    `L${neck.x + 1.5 * uy} ${neck.y - 1.5 * ux}Z`;
  return svg("path", { class: `arrow ${kind}`, d });
}

/** Stripes for what is not allowed: it should not take colours to see that. */
function hatching() {
  const stripes = svg(
    "pattern",
    { id: "stripes", width: 1.6, height: 1.6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
    svg("rect", { class: "stripe-ground", width: 1.6, height: 1.6 }),
    svg("rect", { class: "stripe", width: 0.8, height: 1.6 }),
  );
  return svg("defs", {}, stripes);
}
