// The board: draws the server's positions, and turns mouse, touch and keyboard input into moves.
//
// A place is a cell or a wall in notation. Most moves are named after their place; for the others,
// the server sends the cell.

/**
 * @import { BoardState, LineMove, PolicyMoves, Position } from "../types/messages.d.ts"
 * @import { BoardActions, BoardRenderer, ComparedMoves, Orientation, Point } from "../types/page.d.ts"
 */

import { setChildren, svg } from "./dom.js";
import { GridRenderer } from "./grid.js";
import { announce, showReason } from "./notices.js";
import { QuoridorRenderer } from "./quoridor.js";
import { exactPercent, t } from "./texts.js";

/**
 * Columns to the right and rows down, by key.
 *
 * @type {Partial<Record<string, [number, number]>>}
 */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** A focus that follows a click or a tap comes within this time. */
const CLICK_MS = 500;

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
    /** Whether the board takes keys: only if the keyboard, not a click, gave it the focus. */
    this.takesKeys = false;
    this.pointerTime = -Infinity;
    /** The legal moves by place; a move without a place is by its own name. */
    this.moves = /** @type {Map<string, string>} */ (new Map());
    /** @type {Map<string, SVGElement>} */
    this.pieces = new Map();

    /** The place of the move that is shown before it is played. @type {string | null} */
    this.preview = null;
    /** @type {SVGElement | null} */
    this.previewElement = null;
    /** Called when another preview is shown, or none. */
    this.onPreview = () => {};
    /** The orientation of walls, once a wall was turned or dragged. @type {Orientation | null} */
    this.orientation = null;
    /** Whether the press that is going on drags a wall, and its click is not meant. */
    this.isDragging = false;
    /** The place of the keyboard cursor. @type {string | null} */
    this.cursor = null;
    /** @type {SVGElement | null} */
    this.cursorElement = null;
    /** @type {SVGElement | null} */
    this.hintElement = null;
    /** @type {LineMove[] | null} */
    this.line = null;
    /** @type {PolicyMoves | null} */
    this.policy = null;
    /** @type {ComparedMoves | null} */
    this.compared = null;

    const layer = (/** @type {string} */ name) => svg("g", { class: `layer-${name}` });
    this.layers = {
      background: layer("ground"),
      highlights: layer("under"),
      policy: layer("heat"),
      pieces: layer("pieces"),
      compared: layer("compared"),
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
      this.isDragging = false;
      this.takesKeys = false;
      this.setCursor(null);
    });
    element.addEventListener("focus", (event) => {
      this.takesKeys = event.timeStamp - this.pointerTime > CLICK_MS;
    });
    for (const type of ["pointerdown", "pointerup"]) {
      element.addEventListener(type, (event) => {
        this.pointerTime = event.timeStamp;
      });
    }
    element.addEventListener("click", (event) => this.onClick(event));
    element.addEventListener("keydown", (event) => this.onKeyDown(event));
    element.addEventListener("blur", () => {
      this.takesKeys = false;
      this.setCursor(null);
    });
  }

  /**
   * Show a position. The key identifies its game.
   *
   * @param {Position} position
   * @param {string | null} gameKey
   */
  show(position, gameKey) {
    const before = this.position;
    const isOtherBoard = !before || !this.renderer.fits(position.board);
    const isSame = before?.ply === position.ply && before.node === position.node;
    const isOtherPosition = isOtherBoard || !isSame || this.gameKey !== gameKey;
    this.position = position;
    this.gameKey = gameKey;
    this.moves = new Map(position.legal.map((move) => [position.spots[move] ?? move, move]));
    if (isOtherBoard) {
      const { flipped } = this.renderer;
      this.renderer = createRenderer(position.board);
      this.renderer.flipped = flipped;
      this.redrawBackground();
    }
    if (isOtherPosition) {
      this.setPreview(null);
      this.setLine(null);
      this.setPolicy(null);
      this.setHint(null);
      this.compareMoves(null);
    }
    this.drawPieces(position);
    this.drawHighlights(position);
    if (this.cursor) this.setCursor(this.cursor);
    this.element.classList.toggle("mine", position.can_play);
    document.body.classList.toggle("places-walls", this.canPlaceWalls);
    this.element.classList.toggle("on-felt", position.board.kind === "grid");
    document.body.classList.toggle("felt-board", position.board.kind === "grid");
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
    this.compareMoves(this.compared);
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
    const { width, height } = this.renderer;
    this.element.setAttribute("viewBox", `0 0 ${width} ${height}`);
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
    const places = [...this.moves.keys()].filter((place) => this.renderer.contains(place));
    setChildren(
      this.layers.highlights,
      this.renderer.drawHighlights(position.board, places, options),
    );
  }

  /**
   * Return the place of a move in the position shown; null for a move without one, such as a pass.
   *
   * @param {string} move
   */
  placeOf(move) {
    const place = this.position?.spots[move] ?? move;
    return this.renderer.contains(place) ? place : null;
  }

  /**
   * Return whether the user may play the move of a place.
   *
   * @param {string} place
   */
  canPlay(place) {
    return Boolean(this.position?.can_play) && this.moves.has(place);
  }

  // Hints, lines, policies and previews.

  /** @param {string | null} move */
  setHint(move) {
    this.hintElement?.remove();
    const place = move === null ? null : this.placeOf(move);
    this.hintElement = place ? this.renderer.drawMarker(place, "hint") : null;
    if (this.hintElement) this.layers.overlay.prepend(this.hintElement);
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
    line?.forEach(({ move, player, at, from }, i) => {
      const place = at ?? move;
      if (!this.renderer.contains(place)) return;
      const className = `step player${player}${i === 0 ? " first" : ""}`;
      this.layers.line.append(this.drawLineMove(place, from, className));
      if (numbered.has(place)) return;
      numbered.add(place);
      const { x, y } = this.renderer.center(place);
      this.layers.line.append(
        svg("circle", { class: `badge player${player}`, cx: x, cy: y, r: 1.5 }),
        svg("text", { class: `badge-number player${player}`, x, y: y + 0.1 }, String(i + 1)),
      );
    });
  }

  /**
   * Draw a move in red and a better one in green, with signs for eyes that see no such difference.
   *
   * @param {ComparedMoves | null} moves
   */
  compareMoves(moves) {
    this.compared = moves;
    setChildren(this.layers.compared);
    this.drawVerdict(moves?.worse ?? null, "worse", "✕");
    this.drawVerdict(moves?.better ?? null, "better", "✓");
  }

  /**
   * @param {LineMove | null} move
   * @param {"worse" | "better"} verdict
   * @param {string} sign
   */
  drawVerdict(move, verdict, sign) {
    const place = move?.at ?? move?.move;
    if (!move || !place || !this.renderer.contains(place)) return;
    const { x, y } = this.renderer.center(place);
    const shift = this.renderer.isWall(place) ? 0 : 3;
    this.layers.compared.append(
      this.drawLineMove(place, move.from, `verdict ${verdict}`),
      svg("circle", { class: `sign ${verdict}`, cx: x + shift, cy: y - shift, r: 1.6 }),
      svg("text", { class: "sign-text", x: x + shift, y: y - shift + 0.1 }, sign),
    );
  }

  /**
   * @param {string} place
   * @param {string | undefined} from
   * @param {string} className
   */
  drawLineMove(place, from, className) {
    return from && !this.renderer.isWall(place)
      ? drawArrow(this.renderer.center(from), this.renderer.center(place), className)
      : this.renderer.drawMarker(place, className);
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
      const place = this.placeOf(move);
      if (!place) continue;
      const marker = this.renderer.drawMarker(place, "heat");
      marker.style.opacity = String(0.15 + 0.85 * Math.sqrt(share / largest));
      const title = t("analysis.policy", { move, share: exactPercent(share) });
      marker.append(svg("title", {}, title));
      this.layers.policy.append(marker);
    }
  }

  /**
   * Preview a move before it is played. An illegal wall is shown with its reason.
   *
   * @param {string | null} place
   */
  setPreview(place) {
    if (place === this.preview) return;
    this.preview = place;
    this.previewElement?.remove();
    this.previewElement = null;
    showReason("");
    if (place) this.showPreview(place);
    else this.orientation = null;
    this.onPreview();
  }

  /** @param {string} place */
  showPreview(place) {
    const isLegal = this.canPlay(place);
    if (!isLegal && !this.renderer.isWall(place)) return;
    this.previewElement = this.drawPreview(place, isLegal);
    this.layers.overlay.append(this.previewElement);
    if (!isLegal) this.explainPreview(place);
  }

  /**
   * @param {string} place
   * @param {boolean} isLegal
   */
  drawPreview(place, isLegal) {
    const className = `preview ${isLegal ? "legal" : "illegal"} player${this.position?.to_move}`;
    const cross = svg("path", { class: "cross", d: crossPath(this.renderer.center(place), 1.6) });
    return svg(
      "g",
      { class: className },
      this.renderer.drawMarker(place, "ghost"),
      isLegal ? null : cross,
    );
  }

  /** @param {string} place */
  async explainPreview(place) {
    const reason = await this.findReason(place);
    if (this.preview === place && reason) showReason(reason, "bad");
  }

  /**
   * Find out why the user cannot play at a place.
   *
   * @param {string} place
   */
  async findReason(place) {
    const isNamedMove = !Object.keys(this.position?.spots ?? {}).length;
    return isNamedMove ? this.actions.findReason(place) : t("board.no-move", { place });
  }

  // Walls that are turned or dragged.

  /** Whether the user may place a wall, if it is legal. */
  get canPlaceWalls() {
    return Boolean(this.position?.can_play) && this.renderer.hasWalls;
  }

  /** The wall that is shown before it is placed. */
  get shownWall() {
    return this.preview && this.renderer.isWall(this.preview) ? this.preview : null;
  }

  /** The size of a cell with its gap, in pixels. */
  get cellSize() {
    return 10 * (this.element.getScreenCTM()?.a ?? 1);
  }

  /**
   * Preview the wall that is nearest to a point of the screen; none beside the board.
   *
   * @param {number} clientX
   * @param {number} clientY
   */
  showWallAt(clientX, clientY) {
    this.isDragging = true;
    const { x, y } = this.pointAt(clientX, clientY);
    if (!this.orientation) {
      const nearest = this.renderer.placeAt(x, y, () => false, true);
      this.orientation = nearest?.endsWith("v") ? "v" : "h";
    }
    const { orientation } = this;
    this.setPreview(this.renderer.wallAt(x, y, orientation));
    this.orientation = orientation; // it stays while the wall is beside the board
  }

  /** Turn the wall that is shown; returns its new place, or null if there is none. */
  turnWall() {
    if (!this.shownWall) return null;
    const place = this.renderer.rotateWall(this.shownWall);
    this.setPreview(place);
    this.orientation = place.endsWith("v") ? "v" : "h";
    if (this.isTouch && this.canPlay(place)) this.askAgain(place);
    return place;
  }

  /** Play the move that is shown; false if that is not possible. */
  playPreview() {
    const move = this.preview && this.canPlay(this.preview) ? this.moves.get(this.preview) : null;
    if (!move) return false;
    this.setPreview(null);
    this.actions.play(move);
    return true;
  }

  /**
   * Say that another tap places the wall.
   *
   * @param {string} place
   */
  askAgain(place) {
    showReason(t("board.tap-again", { place }), "good");
  }

  /**
   * Describe a place for screen readers.
   *
   * @param {string} place
   */
  describe(place) {
    return this.position
      ? this.renderer.describe(place, this.position.board, this.moves.has(place))
      : "";
  }

  // Mouse and touch.

  /**
   * Return a point of the screen in the units of the board.
   *
   * @param {number} clientX
   * @param {number} clientY
   */
  pointAt(clientX, clientY) {
    const matrix = this.element.getScreenCTM()?.inverse();
    return new DOMPoint(clientX, clientY).matrixTransform(matrix);
  }

  /**
   * @param {MouseEvent} event
   * @param {boolean} coarse
   */
  placeAt(event, coarse) {
    const { x, y } = this.pointAt(event.clientX, event.clientY);
    const { shownWall, orientation } = this;
    if (coarse && shownWall && this.renderer.isOnWall(shownWall, x, y)) return shownWall;
    const place = this.renderer.placeAt(x, y, (each) => this.canPlay(each), coarse);
    const isTurned = !coarse && orientation && place && this.renderer.isWall(place);
    return isTurned ? this.renderer.wallAt(x, y, orientation) : place;
  }

  /** @param {PointerEvent} event */
  onPointerMove(event) {
    if (!this.position?.can_play || event.pointerType !== "mouse" || event.buttons) return;
    const place = this.placeAt(event, false);
    if (place && !this.renderer.isWall(place)) this.orientation = null;
    this.setPreview(place);
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    if (!this.position?.can_play || this.isDragging) return;
    const place = this.placeAt(event, this.isTouch);
    if (!place) return;
    const isWall = this.renderer.isWall(place);
    const move = this.moves.get(place);
    if (!move) {
      this.setPreview(place);
      if (!isWall) this.explainPreview(place);
      return;
    }
    // The first tap shows the wall, the second places it.
    if (this.isTouch && isWall && this.preview !== place) {
      this.setPreview(place);
      this.askAgain(place);
      return;
    }
    this.setPreview(null);
    this.actions.play(move);
  }

  // Keyboard.

  /** @param {string | null} place */
  setCursor(place) {
    this.cursor = place;
    this.cursorElement?.remove();
    this.cursorElement = null;
    if (!place) return;
    this.cursorElement = this.renderer.drawCursor(place);
    this.layers.overlay.append(this.cursorElement);
  }

  /** @param {KeyboardEvent} event */
  onKeyDown(event) {
    if (!this.takesKeys || event.ctrlKey || event.metaKey || event.altKey || !this.position) return;
    const from = this.cursor ?? this.renderer.cursorStart(this.position.board);
    const { key } = event;
    const arrow = ARROWS[key];
    if (arrow) this.moveCursor(this.cursor ? this.renderer.step(from, ...arrow) : from);
    else if (key === "w" || key === "W") {
      this.moveCursor(this.renderer.toggleWall(from));
    } else if (key === "r" || key === "R" || key === " ") {
      this.moveCursor(this.renderer.rotateWall(from));
    } else if (key === "Enter") this.playCursor(this.position);
    else if (key === "Escape") this.setPreview(null);
    else if (/^[a-z0-9]$/i.test(key)) this.actions.startTyping(key);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {string} place */
  moveCursor(place) {
    this.setCursor(place);
    this.setPreview(this.renderer.isWall(place) || this.canPlay(place) ? place : null);
    announce(this.describe(place));
  }

  /** @param {Position} position */
  async playCursor(position) {
    if (!this.cursor || !position.can_play) return;
    const move = this.moves.get(this.cursor);
    if (move) this.actions.play(move);
    else {
      const reason = await this.findReason(this.cursor);
      showReason(reason, "bad");
      announce(reason ?? "");
    }
  }
}

/**
 * @param {BoardState} board
 * @returns {BoardRenderer}
 */
function createRenderer(board) {
  return board.kind === "grid"
    ? new GridRenderer(board.rows, board.columns)
    : new QuoridorRenderer(board.size);
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
