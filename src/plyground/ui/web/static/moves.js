// The list of moves, and looking back.

import { $, el, put } from "./dom.js";
import { numberOf, playerAt, spoken } from "./format.js";

export class Moves {
  /** `look(ply)` shows the position after so many moves. */
  constructor(look) {
    this.look = look;
    this.list = $("moves");
    this.marks = new Map();
    $("first").addEventListener("click", () => this.go(0));
    $("back").addEventListener("click", () => this.go(this.ply - 1));
    $("forward").addEventListener("click", () => this.go(this.ply + 1));
    $("last").addEventListener("click", () => this.go(this.count));
  }

  go(ply) {
    if (ply >= 0 && ply <= this.count && ply !== this.ply) this.look(ply);
  }

  /** Marks of a report: `?` and `??`, by ply from 1. */
  setMarks(mistakes) {
    this.marks = new Map(mistakes.map((mistake) => [mistake.ply, mistake.mark]));
    this.drawn = null;
  }

  show(game, ply) {
    this.ply = ply;
    this.count = game.moves.length;
    const key = `${game.number}/${game.first}/${game.moves.join(" ")}`;
    if (key !== this.drawn) {
      this.drawn = key;
      this.draw(game);
    }
    this.buttons.forEach((button, index) => {
      const current = index + 1 === ply;
      button.classList.toggle("current", current);
      if (current) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    for (const name of ["first", "back"]) $(name).disabled = ply === 0;
    for (const name of ["forward", "last"]) $(name).disabled = ply === this.count;
    this.reveal(this.buttons[ply - 1]);
  }

  draw(game) {
    this.buttons = game.moves.map((move, index) => {
      const mark = this.marks.get(index + 1) ?? "";
      const player = playerAt(game, index);
      return el(
        "button",
        {
          type: "button",
          class: `move player${player}${mark ? " mistake" : ""}`,
          "aria-label": `${numberOf(game, index)}, player ${player}: ${spoken(move)}${mark}`,
          onclick: () => this.look(index + 1),
        },
        move + mark,
      );
    });
    const rows = [];
    this.buttons.forEach((button, index) => {
      const opens = playerAt(game, index) === 1 || index === 0;
      if (opens) {
        const number = el("span", { class: "number", "aria-hidden": "true" }, `${numberOf(game, index)}.`);
        const gap = playerAt(game, index) === 2 ? el("span", { class: "gap" }, "…") : null;
        rows.push(el("li", {}, number, gap, button));
      } else rows.at(-1).append(button);
    });
    put(this.list, ...rows);
    $("no-moves").hidden = rows.length > 0;
  }

  /** Scroll within the list alone; the page stays where it is. */
  reveal(button) {
    const box = this.list.parentElement;
    if (!button) {
      box.scrollTop = 0;
      return;
    }
    const row = button.parentElement;
    const edge = this.list.offsetTop; // what is left free above the list is so around a row
    const top = row.offsetTop - edge; // within the box, which is what it is placed by
    const bottom = row.offsetTop + row.offsetHeight + edge;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }
}
