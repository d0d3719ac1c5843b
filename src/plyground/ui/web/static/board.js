// The board: draws the server's positions, and turns mouse, touch and keyboard input into moves.

/**
 * @import { LineMove, PolicyMoves, Position } from "../types/messages.d.ts"
 * @import { BoardActions, BoardRenderer, Point } from "../types/page.d.ts"
 */

import { setChildren, svg } from "./dom.js";
import { QuoridorRenderer } from "./quoridor.js";
import { ReversiRenderer } from "./reversi.js";

const RENDERERS = { quoridor: QuoridorRenderer, reversi: ReversiRenderer };

/**
 * Columns to the right and rows down, by key.
 *
 * @type {Partial<Record<string, [number, number]>>}
 */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Board {
  /**
   * @param {SVGSVGElement} element
   * @param {BoardActions} actions
   */
  constructor(element, actions) {
    this.element = element;
    this.actions = actions;
    /** @type {Position | null} */
    this.position = null;
    /** @type {string | null} */
    this.gameKey = null;
    /** @type {BoardRenderer} */
    this.renderer = new QuoridorRenderer(9);
    this.showsPaths = false;
    this.isTouch = false;
    /** @type {Set<string>} */
    this.legal = new Set();
    /** @type {Map<string, SVGElement>} */
    this.pieces = new Map();

    /** The move under the pointer or the cursor, before it is played. @type {string | null} */
    this.preview = null;
    /** @type {SVGElement | null} */
    this.previewElement = null;
    /** The keyboard cursor. @type {string | null} */
    this.cursor = null;
    /** @type {SVGElement | null} */
    this.cursorElement = null;
    /** @type {LineMove[] | null} */
    this.line = null;
    /** @type {PolicyMoves | null} */
    this.policy = null;

    const layer = (/** @type {string} */ name) => svg("g", { class: `layer-${name}` });
    this.layers = {
      background: layer("ground"),
      highlights: layer("under"),
      policy: layer("heat"),
      pieces: layer("pieces"),
      line: layer("line"),
      overlay: layer("over"),
    };
    element.append(drawStripes(), ...Object.values(this.layers));
    this.addListeners();
  }

  addListeners() {
    const { element } = this;
    element.addEventListener("pointermove", (event) => this.onPointerMove(event));
    element.addEventListener("pointerleave", (event) => {
      if (event.pointerType === "mouse") this.setPreview(null);
    });
    element.addEventListener("pointerdown", (event) => {
      this.isTouch = event.pointerType !== "mouse";
    });
    element.addEventListener("click", (event) => this.onClick(event));
    element.addEventListener("keydown", (event) => this.onKeyDown(event));
    element.addEventListener("blur", () => this.setCursor(null));
  }

  /**
   * Show a position. The key identifies its game.
   *
   * @param {Position} position
   * @param {string | null} gameKey
   */
  show(position, gameKey) {
    const before = this.position;
    const isOtherBoard =
      !before || before.game !== position.game || before.board.size !== position.board.size;
    const isOtherPosition = isOtherBoard || before.ply !== position.ply || this.gameKey !== gameKey;
    this.position = position;
    this.gameKey = gameKey;
    this.legal = new Set(position.can_play ? position.legal : []);
    if (isOtherBoard) {
      const { flipped } = this.renderer;
      this.renderer = new RENDERERS[position.game](position.board.size);
      this.renderer.flipped = flipped;
      this.redrawBackground();
    }
    if (isOtherPosition) {
      this.setPreview(null);
      this.setLine(null);
      this.setPolicy(null);
      setChildren(this.layers.overlay);
    }
    this.drawPieces(position);
    this.drawHighlights(position);
    if (this.cursor) this.setCursor(this.cursor);
    this.element.classList.toggle("mine", position.can_play);
    this.element.classList.toggle("on-felt", position.game === "reversi");
  }

  /** Accept no moves until the next position is shown. */
  disable() {
    if (this.position) this.show({ ...this.position, legal: [], can_play: false }, null);
  }

  /** @param {boolean} flipped */
  flip(flipped) {
    if (this.renderer.flipped === flipped) return;
    this.renderer.flipped = flipped;
    if (!this.position) return;
    this.redrawBackground();
    this.drawPieces(this.position);
    this.drawHighlights(this.position);
    this.setPreview(null);
    this.setLine(this.line);
    this.setPolicy(this.policy);
    if (this.cursor) this.setCursor(this.cursor);
  }

  /** @param {boolean} on */
  showPaths(on) {
    this.showsPaths = on;
    if (this.position) this.drawHighlights(this.position);
  }

  /** Describe the position on the board for screen readers. */
  summary() {
    return this.position ? this.renderer.summary(this.position.board) : "";
  }

  redrawBackground() {
    const { extent } = this.renderer;
    this.element.setAttribute("viewBox", `0 0 ${extent} ${extent}`);
    setChildren(this.layers.background, this.renderer.drawBackground());
    for (const piece of this.pieces.values()) piece.remove();
    this.pieces.clear();
  }

  /**
   * Draw the pieces. Those that stay keep their elements, so that CSS can animate their moves.
   *
   * @param {Position} position
   */
  drawPieces(position) {
    const wanted = this.renderer.pieces(position.board);
    for (const [name, element] of this.pieces) {
      if (!wanted.has(name)) {
        element.remove();
        this.pieces.delete(name);
      }
    }
    for (const [name, { create, className, transform }] of wanted) {
      let element = this.pieces.get(name);
      if (!element) {
        element = create();
        this.pieces.set(name, element);
        this.layers.pieces.append(element);
      }
      if (element.getAttribute("class") !== className) element.setAttribute("class", className);
      if (transform) element.style.transform = transform;
    }
  }

  /** @param {Position} position */
  drawHighlights(position) {
    const options = { targets: position.can_play, paths: this.showsPaths };
    setChildren(
      this.layers.highlights,
      this.renderer.drawHighlights(position.board, position.legal, options),
    );
  }

  // Hints, lines, policies and previews.

  /** @param {string} move */
  setHint(move) {
    setChildren(
      this.layers.overlay,
      move === "pass" ? null : this.renderer.drawMarker(move, "hint"),
    );
  }

  /**
   * Show the engine's line: arrows for pawn moves, markers for walls and discs, with numbers.
   *
   * @param {LineMove[] | null} line
   */
  setLine(line) {
    this.line = line;
    setChildren(this.layers.line);
    const numbered = new Set();
    line?.forEach((step, i) => {
      if (step.move === "pass") return;
      const className = `step player${step.player}${i === 0 ? " first" : ""}`;
      this.layers.line.append(this.drawLineMove(step, className));
      if (numbered.has(step.move)) return;
      numbered.add(step.move);
      const { x, y } = this.renderer.center(step.move);
      this.layers.line.append(
        svg("circle", { class: `badge player${step.player}`, cx: x, cy: y, r: 1.5 }),
        svg("text", { class: "badge-number", x, y: y + 0.1 }, String(i + 1)),
      );
    });
  }

  /**
   * @param {LineMove} step
   * @param {string} className
   */
  drawLineMove({ move, from }, className) {
    return from && !this.renderer.isWall(move)
      ? drawArrow(this.renderer.center(from), this.renderer.center(move), className)
      : this.renderer.drawMarker(move, className);
  }

  /**
   * Show the network's policy as a heat map.
   *
   * @param {PolicyMoves | null} moves
   */
  setPolicy(moves) {
    this.policy = moves;
    setChildren(this.layers.policy);
    if (!moves) return;
    const largest = Math.max(...Object.values(moves));
    for (const [move, share] of Object.entries(moves)) {
      if (move === "pass") continue;
      const marker = this.renderer.drawMarker(move, "heat");
      marker.style.opacity = String(0.15 + 0.85 * Math.sqrt(share / largest));
      marker.append(svg("title", {}, `${move}: ${(100 * share).toFixed(1)}%`));
      this.layers.policy.append(marker);
    }
  }

  /**
   * Preview a move before it is played. An illegal wall is shown with its reason.
   *
   * @param {string | null} move
   */
  setPreview(move) {
    if (move === this.preview) return;
    this.preview = move;
    this.previewElement?.remove();
    this.previewElement = null;
    this.actions.showReason("");
    if (!move) return;
    const isLegal = this.legal.has(move);
    if (!isLegal && !this.renderer.isWall(move)) return;
    this.previewElement = this.drawPreview(move, isLegal);
    this.layers.overlay.append(this.previewElement);
    if (!isLegal) this.explainPreview(move);
  }

  /**
   * @param {string} move
   * @param {boolean} isLegal
   */
  drawPreview(move, isLegal) {
    const className = `preview ${isLegal ? "legal" : "illegal"} player${this.position?.to_move}`;
    const cross = svg("path", { class: "cross", d: crossPath(this.renderer.center(move), 1.6) });
    return svg(
      "g",
      { class: className },
      this.renderer.drawMarker(move, "ghost"),
      isLegal ? null : cross,
    );
  }

  /** @param {string} move */
  async explainPreview(move) {
    const reason = await this.actions.findReason(move);
    if (this.preview === move && reason) this.actions.showReason(reason, "bad");
  }

  // Mouse and touch.

  /**
   * @param {MouseEvent} event
   * @param {boolean} coarse
   */
  moveAt(event, coarse) {
    const matrix = this.element.getScreenCTM();
    if (!matrix) return null;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return this.renderer.moveAt(point.x, point.y, (move) => this.legal.has(move), coarse);
  }

  /** @param {PointerEvent} event */
  onPointerMove(event) {
    if (!this.position?.can_play || event.pointerType !== "mouse") return;
    this.setPreview(this.moveAt(event, false));
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    if (!this.position?.can_play) return;
    const move = this.moveAt(event, this.isTouch);
    if (!move) return;
    const isWall = this.renderer.isWall(move);
    if (!this.legal.has(move)) {
      this.setPreview(move);
      if (!isWall) this.explainPreview(move);
      return;
    }
    // The first tap shows the wall, the second places it.
    if (this.isTouch && isWall && this.preview !== move) {
      this.setPreview(move);
      this.actions.showReason(`Tap again to place ${move}`, "good");
      return;
    }
    this.setPreview(null);
    this.actions.play(move);
  }

  // Keyboard.

  /** @param {string | null} move */
  setCursor(move) {
    this.cursor = move;
    this.cursorElement?.remove();
    this.cursorElement = null;
    if (!move) return;
    this.cursorElement = this.renderer.drawCursor(move);
    this.layers.overlay.append(this.cursorElement);
  }

  /** @param {KeyboardEvent} event */
  onKeyDown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.position) return;
    const from = this.cursor ?? this.renderer.cursorStart(this.position.board);
    const { key } = event;
    const arrow = ARROWS[key];
    if (arrow)
      this.moveCursor(this.cursor ? this.renderer.step(from, ...arrow) : from, this.position);
    else if (key === "w" || key === "W") {
      this.moveCursor(this.renderer.toggleWall(from), this.position);
    } else if (key === "r" || key === "R" || key === " ") {
      this.moveCursor(this.renderer.rotateWall(from), this.position);
    } else if (key === "Enter") this.playCursor(this.position);
    else if (key === "Escape") this.setPreview(null);
    else if (/^[a-ip1-9]$/i.test(key)) this.actions.startTyping(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {string} move
   * @param {Position} position
   */
  moveCursor(move, position) {
    this.setCursor(move);
    this.setPreview(this.renderer.isWall(move) || this.legal.has(move) ? move : null);
    this.actions.announce(this.renderer.describe(move, position.board, position.legal));
  }

  /** @param {Position} position */
  async playCursor(position) {
    const move = this.cursor;
    if (!move || !position.can_play) return;
    if (this.legal.has(move)) this.actions.play(move);
    else {
      const reason = await this.actions.findReason(move);
      this.actions.showReason(reason, "bad");
      this.actions.announce(reason ?? "");
    }
  }
}

/**
 * @param {Point} center
 * @param {number} r
 */
function crossPath({ x, y }, r) {
  return `M${x - r} ${y - r}L${x + r} ${y + r}M${x - r} ${y + r}L${x + r} ${y - r}`;
}

/**
 * @param {Point} from
 * @param {Point} to
 * @param {string} className
 */
function drawArrow(from, to, className) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [ux, uy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const tip = { x: to.x - 1.2 * ux, y: to.y - 1.2 * uy };
  const neck = { x: tip.x - 2.2 * ux, y: tip.y - 2.2 * uy };
  const d =
    `M${from.x} ${from.y}L${neck.x} ${neck.y}` +
    `M${tip.x} ${tip.y}L${neck.x - 1.5 * uy} ${neck.y + 1.5 * ux}` +
    `L${neck.x + 1.5 * uy} ${neck.y - 1.5 * ux}Z`;
  return svg("path", { class: `arrow ${className}`, d });
}

/** Define the stripes of illegal previews, which must not depend on colour vision. */
function drawStripes() {
  const stripes = svg(
    "pattern",
    {
      id: "stripes",
      width: 1.6,
      height: 1.6,
      patternUnits: "userSpaceOnUse",
      patternTransform: "rotate(45)",
    },
    svg("rect", { class: "stripe-ground", width: 1.6, height: 1.6 }),
    svg("rect", { class: "stripe", width: 0.8, height: 1.6 }),
  );
  return svg("defs", {}, stripes);
}
