// The list of moves and the buttons that step through it.

/** @import { Game, Mistake } from "../types/messages.d.ts" */

import { $, el, setChildren, setCurrent } from "./dom.js";
import { moveNumber, playerAt, spokenMove } from "./format.js";

export class MoveList {
  /** @param {(ply: number) => void} showPly shows the position after `ply` moves */
  constructor(showPly) {
    this.showPly = showPly;
    this.list = $("moves");
    this.ply = 0;
    this.count = 0;
    /** @type {HTMLButtonElement[]} */
    this.buttons = [];
    /** @type {Map<number, string>} */
    this.marks = new Map();
    /** @type {string | null} */
    this.drawnKey = null;
    $("first").addEventListener("click", () => this.goTo(0));
    $("back").addEventListener("click", () => this.goTo(this.ply - 1));
    $("forward").addEventListener("click", () => this.goTo(this.ply + 1));
    $("last").addEventListener("click", () => this.goTo(this.count));
  }

  /** @param {number} ply */
  goTo(ply) {
    if (ply >= 0 && ply <= this.count && ply !== this.ply) this.showPly(ply);
  }

  /**
   * Set the marks `?` and `??` of an analysed game.
   *
   * @param {Mistake[]} mistakes
   */
  setMarks(mistakes) {
    this.marks = new Map(mistakes.map((mistake) => [mistake.ply, mistake.mark]));
    this.drawnKey = null;
  }

  /**
   * Show a game's moves and highlight the one before `ply`.
   *
   * @param {Game} game
   * @param {number} ply
   */
  show(game, ply) {
    this.ply = ply;
    this.count = game.moves.length;
    const key = `${game.number}/${game.first}/${game.moves.join(" ")}`;
    if (key !== this.drawnKey) {
      this.drawnKey = key;
      this.draw(game);
    }
    this.buttons.forEach((button, i) => {
      const isCurrent = i + 1 === ply;
      button.classList.toggle("current", isCurrent);
      setCurrent(button, isCurrent ? "step" : null);
    });
    $("first").disabled = $("back").disabled = ply === 0;
    $("forward").disabled = $("last").disabled = ply === this.count;
    this.scrollTo(this.buttons[ply - 1]?.parentElement);
  }

  /** @param {Game} game */
  draw(game) {
    this.buttons = game.moves.map((move, ply) => this.createButton(game, move, ply));
    /** @type {HTMLLIElement[]} */
    const rows = [];
    this.buttons.forEach((button, ply) => {
      const row = playerAt(game, ply) === 1 ? undefined : rows.at(-1);
      if (row) row.append(button);
      else rows.push(createRow(game, ply, button));
    });
    setChildren(this.list, ...rows);
    $("no-moves").hidden = rows.length > 0;
  }

  /**
   * @param {Game} game
   * @param {string} move
   * @param {number} ply
   */
  createButton(game, move, ply) {
    const mark = this.marks.get(ply + 1) ?? "";
    const player = playerAt(game, ply);
    return el(
      "button",
      {
        type: "button",
        class: `move player${player}${mark ? " mistake" : ""}`,
        "aria-label": `${moveNumber(game, ply)}, player ${player}: ${spokenMove(move)}${mark}`,
        onclick: () => this.showPly(ply + 1),
      },
      move + mark,
    );
  }

  /**
   * Scroll a row into view without scrolling the page; to the top without a row.
   *
   * @param {HTMLElement | null | undefined} row
   */
  scrollTo(row) {
    const box = $("move-box");
    if (!row) {
      box.scrollTop = 0;
      return;
    }
    const margin = this.list.offsetTop; // the space above the list, kept around the row as well
    const top = row.offsetTop - margin;
    const bottom = row.offsetTop + row.offsetHeight + margin;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }
}

/**
 * Create the row of a numbered move. A game that player 2 begins has a gap for player 1.
 *
 * @param {Game} game
 * @param {number} ply
 * @param {HTMLButtonElement} button
 */
function createRow(game, ply, button) {
  const number = el(
    "span",
    { class: "number", "aria-hidden": "true" },
    `${moveNumber(game, ply)}.`,
  );
  const gap = playerAt(game, ply) === 2 ? el("span", { class: "gap" }, "…") : null;
  return el("li", {}, number, gap, button);
}
