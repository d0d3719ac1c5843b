// The card at the end of a game: result, accuracy, and what to do next.

/**
 * @import { Game, GameReport, ReportProgress } from "../types/messages.d.ts"
 * @import { EndCardActions } from "../types/page.d.ts"
 */

import { $ } from "./dom.js";
import { PLAYERS, countPeople, outcomeText, playerIndex, playerName } from "./format.js";
import { percent, t } from "./texts.js";

export class EndCard {
  /** @param {EndCardActions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {Game | null} */
    this.game = null;
    this.person = "";
    $("rematch").addEventListener("click", () => actions.send("rematch"));
    $("review").addEventListener("click", () => actions.review());
  }

  /**
   * Show the card if the game is over. A game that ends while people play it is analysed. A shared
   * game has buttons of its own.
   *
   * @param {Game | null} before the same game before; null for another game
   * @param {Game} game
   * @param {string} person
   */
  show(before, game, person) {
    const isOver = Boolean(game.outcome) && game.node === game.main_end && !game.shared;
    if (before?.number !== game.number) $("end-accuracy").textContent = "";
    this.game = game;
    this.person = person;
    $("end-card").hidden = !isOver;
    if (!isOver || !game.outcome) return;
    $("end-result").textContent = outcomeText(game, game.outcome, person);
    if (before && !before.outcome && countPeople(game) && game.moves.length) {
      this.actions.requestReport();
    }
  }

  /** @param {GameReport | ReportProgress} report */
  receiveReport(report) {
    const { game } = this;
    if (!game) return;
    if (!("accuracy" in report)) {
      const share = percent(report.done / report.of);
      $("end-accuracy").textContent = t("end.analysing", { percent: share });
      return;
    }
    const [first = "", second = ""] = PLAYERS.map((player) => {
      const share = report.accuracy[playerIndex(player)];
      const name = playerName(game, player, this.person);
      return t("end.accuracy.player", { name, percent: share === null ? "–" : percent(share) });
    });
    $("end-accuracy").textContent = t("end.accuracy", { first, second });
  }
}
