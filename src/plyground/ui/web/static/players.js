// The two players beside the board: names, walls or discs, clocks, and who plays.

/** @import { Game, Player, Position, Welcome } from "../types/messages.d.ts" */

import { $, el, setChildren, svg } from "./dom.js";
import {
  PLAYERS,
  agentDescription,
  agentName,
  formatClock,
  playerIndex,
  playerName,
} from "./format.js";
import { t, translate } from "./texts.js";

const LOW_TIME_S = 10;

export class Players {
  /**
   * @param {(player: Player, agent: string) => void} takeSeat lets an agent play
   * @param {() => void} onLowTime called when a person has little time left
   */
  constructor(takeSeat, onLowTime) {
    this.onLowTime = onLowTime;
    this.cards = PLAYERS.map((player) => createCard(player, takeSeat));
    /** @type {Game | null} */
    this.game = null;
    this.receivedAt = 0;
    this.person = "";
    /** @type {Welcome["games"]} */
    this.games = {};
    /** @type {string | null} */
    this.offeredGame = null;
    setInterval(() => this.updateClocks(), 100);
  }

  /** @param {Welcome} welcome */
  setGames({ person, games }) {
    this.person = person;
    this.games = games;
    this.offeredGame = null;
  }

  /**
   * @param {Game} game
   * @param {Position} position the position on the board
   */
  show(game, position) {
    this.game = game;
    this.receivedAt = performance.now();
    if (this.offeredGame !== game.game) {
      this.offeredGame = game.game;
      this.fillSelects([this.person, ...(this.games[game.game]?.agents ?? [])]);
    }
    const { board } = position;
    for (const card of this.cards) {
      const i = playerIndex(card.player);
      card.name.textContent = playerName(game, card.player, this.person);
      card.facts.textContent = position.facts[i].map(translate).join(" · ");
      const agent = game.people[i] ? this.person : game.names[i];
      if (card.select.value !== agent) card.select.value = agent;
      card.root.classList.toggle("to-move", position.to_move === card.player);
      card.root.classList.toggle("felt", board.kind === "grid");
      setChildren(card.left, "hand" in board ? drawWalls(board.left[i], board.hand) : null);
    }
    this.updateClocks();
  }

  /** @param {string[]} agents */
  fillSelects(agents) {
    for (const { select } of this.cards) {
      const options = agents.map((agent) =>
        el("option", { value: agent, title: agentDescription(agent) }, agentName(agent)),
      );
      setChildren(select, ...options);
    }
  }

  updateClocks() {
    if (!this.game) return;
    const elapsed = (performance.now() - this.receivedAt) / 1000;
    for (const card of this.cards) {
      const left = this.game.clocks[playerIndex(card.player)];
      const isRunning = this.game.running === card.player;
      const seconds = left === null ? null : Math.max(0, left - (isRunning ? elapsed : 0));
      const text = formatClock(seconds);
      if (card.clock.textContent !== text) card.clock.textContent = text;
      card.clock.classList.toggle("runs", isRunning && left !== null);
      const isLow = seconds !== null && seconds < LOW_TIME_S;
      const wasLow = card.clock.classList.contains("short");
      card.clock.classList.toggle("short", isLow);
      const isPerson = this.game.people[playerIndex(card.player)];
      if (isLow && !wasLow && isRunning && isPerson) this.onLowTime();
    }
  }

  /**
   * Swap the cards: player 1's is at the bottom unless the board is flipped.
   *
   * @param {boolean} flipped
   */
  flip(flipped) {
    document.body.classList.toggle("flipped", flipped);
  }
}

/**
 * @param {Player} player
 * @param {(player: Player, agent: string) => void} takeSeat
 */
function createCard(player, takeSeat) {
  const select = el("select", { "aria-label": t("player.seat", { player }) });
  select.addEventListener("change", () => takeSeat(player, select.value));
  const card = {
    player,
    root: $(`player${player}`),
    name: el("span", { class: "name" }),
    select,
    facts: el("span", { class: "facts" }),
    left: el("span", { class: "left" }),
    clock: el("span", { class: "clock", role: "timer" }),
  };
  setChildren(
    card.root,
    el("span", { class: `token player${player}`, "aria-hidden": "true" }, String(player)),
    el("span", { class: "who" }, card.name, card.facts, card.left),
    card.clock,
    el("label", { class: "seat" }, select),
  );
  return card;
}

/**
 * Draw the walls in hand, and those already used.
 *
 * @param {number} left
 * @param {number} total
 */
function drawWalls(left, total) {
  const count = Math.max(left, total);
  const picture = svg("svg", {
    class: "hand",
    viewBox: `0 0 ${Math.max(1, count) * 3} 10`,
    "aria-hidden": "true",
  });
  for (let i = 0; i < count; i++) {
    const className = i < left ? "piece" : "piece used";
    picture.append(
      svg("rect", { class: className, x: i * 3 + 0.5, y: 0.5, width: 1.8, height: 9, rx: 0.5 }),
    );
  }
  return picture;
}
