// Placing walls by hand: slide a finger over the board or drag a wall from the stock, turn it, then
// place it or cancel. The board shows the wall as its preview.

/** @import { Point } from "../types/page.d.ts" */
/** @import { Board } from "./board.js" */

import { $, isInside } from "./dom.js";
import { PLAYERS } from "./format.js";
import { announce } from "./notices.js";
import { t } from "./texts.js";

/** A finger that moves less than this taps. */
const SLIDE_PX = 10;
/** A finger must not hide the wall: the wall is this many cells above it, and at least some pixels. */
const LIFT_CELLS = 1.4;
const LEAST_LIFT_PX = 50;
const RIGHT_BUTTON = 2;

/**
 * A pointer that moves a wall.
 *
 * @typedef {object} Drag
 * @property {number} pointer
 * @property {Point} start
 * @property {boolean} isMoving whether it has moved further than a tap
 * @property {boolean} fromStock
 * @property {boolean} isTouch
 */

export class WallPlacing {
  /** @param {Board} board */
  constructor(board) {
    this.board = board;
    /** @type {Drag | null} */
    this.drag = null;
    board.onPreview = () => this.showTools();
    this.addListeners();
  }

  addListeners() {
    const { element } = this.board;
    element.addEventListener("pointerdown", (event) => this.onPress(event));
    for (const player of PLAYERS) {
      $(`player${player}`).addEventListener("pointerdown", (event) => {
        if (isInside(event, ".left") && this.board.position?.to_move === player) {
          this.onPress(event, true);
        }
      });
    }
    addEventListener("pointermove", (event) => this.onMove(event));
    addEventListener("pointerup", (event) => this.onRelease(event));
    addEventListener("pointercancel", (event) => {
      if (event.pointerId === this.drag?.pointer) this.drag = null;
    });
    addEventListener("mousedown", (event) => {
      if (event.button === RIGHT_BUTTON && this.drag?.isMoving) this.turn();
    });
    addEventListener("contextmenu", (event) => this.onContextMenu(event));
    $("wall-turn").addEventListener("click", () => this.turn());
    $("wall-place").addEventListener("click", () => this.place());
    $("wall-cancel").addEventListener("click", () => this.cancel());
  }

  /**
   * @param {PointerEvent} event
   * @param {boolean} [fromStock]
   */
  onPress(event, fromStock = false) {
    const isTouch = event.pointerType !== "mouse";
    if (!this.board.canPlaceWalls) return;
    if (this.drag?.isMoving) {
      this.turn(); // by a second finger
      return;
    }
    if (event.button !== 0 || (!isTouch && !fromStock)) return;
    const start = { x: event.clientX, y: event.clientY };
    this.drag = { pointer: event.pointerId, start, isMoving: false, fromStock, isTouch };
    if (fromStock) event.preventDefault(); // selects no text
  }

  /** @param {PointerEvent} event */
  onMove(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    const { x, y } = drag.start;
    if (!drag.isMoving && Math.hypot(event.clientX - x, event.clientY - y) < SLIDE_PX) return;
    drag.isMoving = true;
    this.board.isTouch = drag.isTouch;
    this.board.showWallAt(event.clientX, event.clientY - (drag.isTouch ? this.lift : 0));
  }

  /** How far above a finger the wall is, in pixels. */
  get lift() {
    return Math.max(LEAST_LIFT_PX, LIFT_CELLS * this.board.cellSize);
  }

  /** @param {PointerEvent} event */
  onRelease(event) {
    const { drag } = this;
    if (!drag || event.pointerId !== drag.pointer) return;
    this.drag = null;
    if (!drag.isMoving) return;
    if (drag.isTouch) this.wait();
    else if (!this.place()) this.cancel();
  }

  /** Leave a wall on the board until the next tap. */
  wait() {
    const { preview } = this.board;
    if (preview && this.board.canPlay(preview)) this.board.askAgain(preview);
  }

  /** Turn the wall that is shown; false if there is none. */
  turn() {
    const place = this.board.turnWall();
    if (place) announce(this.board.describe(place));
    return place !== null;
  }

  /** Place the wall that is shown; false if that is not possible. */
  place() {
    return this.board.playPreview();
  }

  cancel() {
    this.board.setPreview(null);
  }

  /** @param {MouseEvent} event */
  onContextMenu(event) {
    const isOnBoard = event.target instanceof Node && this.board.element.contains(event.target);
    if (!this.drag && !(isOnBoard && this.board.shownWall)) return;
    event.preventDefault();
    if (!this.drag) this.turn();
  }

  /** Show the buttons beside a wall that a finger has put on the board. */
  showTools() {
    const { shownWall } = this.board;
    const isShown = this.board.isTouch && shownWall !== null;
    $("wall-tools").hidden = !isShown;
    $("wall-place").disabled = !shownWall || !this.board.canPlay(shownWall);
    $("wall-place").title = shownWall ? t("wall.place.which", { wall: shownWall }) : "";
  }
}
