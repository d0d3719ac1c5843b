// The two players beside the board: who they are, what they have left, and their time.

import { $, el, put, svg } from "./dom.js";
import { ABOUT, capital, clock, nameOf } from "./format.js";

export class Players {
  /** `seat(player, who)` is called when somebody else is to play. */
  constructor(seat) {
    this.cards = [1, 2].map((player) => {
      const select = el("select", { "aria-label": `Who plays player ${player}` });
      select.addEventListener("change", () => seat(player, select.value));
      const card = {
        root: $(`player${player}`),
        name: el("span", { class: "name" }),
        select,
        facts: el("span", { class: "facts" }),
        left: el("span", { class: "left" }),
        clock: el("span", { class: "clock", role: "timer" }),
      };
      put(
        card.root,
        el("span", { class: `token player${player}`, "aria-hidden": "true" }, String(player)),
        el("span", { class: "who" }, card.name, card.facts, card.left),
        card.clock,
        el("label", { class: "seat" }, select),
      );
      return card;
    });
    setInterval(() => this.tick(), 100);
  }

  /** The welcome says whom one can choose. */
  offer(welcome) {
    this.welcome = welcome;
    this.offered = null;
  }

  /** `game` is the whole game, `shown` the position on the board. */
  show(game, shown) {
    this.game = game;
    this.since = performance.now();
    if (this.offered !== game.game) {
      this.offered = game.game;
      const all = [this.welcome.person, ...this.welcome.agents[game.game]];
      for (const { select } of this.cards) {
        put(select, ...all.map((who) => el("option", { value: who, title: ABOUT[who] }, capital(who))));
      }
    }
    this.cards.forEach((card, index) => {
      const player = index + 1;
      card.name.textContent = nameOf(game, player, this.welcome.person);
      card.facts.textContent = shown.facts[index].join(" · ");
      const value = game.people[index] ? this.welcome.person : game.names[index];
      if (card.select.value !== value) card.select.value = value;
      card.root.classList.toggle("to-move", shown.to_move === player);
      card.root.classList.toggle("felt", game.game === "reversi");
      put(card.left, shown.board.left ? walls(shown.board.left[index], shown.board.hand) : null);
    });
    this.tick();
  }

  tick() {
    if (!this.game) return;
    const passed = (performance.now() - this.since) / 1000;
    this.cards.forEach((card, index) => {
      const left = this.game.clocks[index];
      const runs = this.game.running === index + 1;
      const seconds = left === null ? null : Math.max(0, left - (runs ? passed : 0));
      const text = clock(seconds);
      if (card.clock.textContent !== text) card.clock.textContent = text;
      card.clock.classList.toggle("runs", runs && left !== null);
      card.clock.classList.toggle("short", seconds !== null && seconds < 10);
    });
  }

  /** Player 1's card is below, unless the board is turned. */
  flip(flipped) {
    document.body.classList.toggle("flipped", flipped);
  }
}

/** Walls left, as pieces. */
function walls(left, hand) {
  const all = Math.max(left, hand);
  const picture = svg("svg", {
    class: "hand", viewBox: `0 0 ${Math.max(1, all) * 3} 10`, "aria-hidden": "true",
  });
  for (let i = 0; i < all; i++) {
    const kind = i < left ? "piece" : "piece used";
    picture.append(svg("rect", { class: kind, x: i * 3 + 0.5, y: 0.5, width: 1.8, height: 9, rx: 0.5 }));
  }
  return picture;
}
