// Watching a tournament: its standings, its latest games, and one game on the board. Or a show match.

/**
 * @import {
 *   AgentStanding, Send, ServerMessages, Standings, TournamentEntry, Welcome
 * } from "../types/messages.d.ts"
 * @import { ShowPosition } from "../types/page.d.ts"
 */

import { $, el, setChildren } from "./dom.js";
import { agentName } from "./format.js";
import { percent, t, translate } from "./texts.js";

/** @param {AgentStanding} row */
function forfeits({ forfeits: counts }) {
  return (
    Object.entries(counts)
      .map(([kind, number]) => `${translate(kind)} ${number}`)
      .join(", ") || "0"
  );
}

export class Watch {
  /**
   * @param {Send} send
   * @param {ShowPosition} showPosition
   */
  constructor(send, showPosition) {
    this.send = send;
    this.showPosition = showPosition;
    /** @type {Welcome["games"]} */
    this.games = {};
    $("tournaments").addEventListener("change", () => this.follow());
  }

  /** @param {Welcome} welcome */
  setGames({ games }) {
    this.games = games;
  }

  enter() {
    this.send("watch");
  }

  leave() {
    this.send("unwatch");
  }

  /** Watch the tournament or the show match that is selected. */
  follow() {
    const [, show] = /^show\/(.+)/.exec($("tournaments").value) ?? [];
    $("standings").hidden = Boolean(show);
    if (show) this.send("watch", { show });
    const [store, tournament] = $("tournaments").value.split("/").map(Number);
    if (Number.isInteger(store) && Number.isInteger(tournament)) {
      this.send("watch", { store, tournament });
    }
  }

  /** @param {ServerMessages["watched"]} game */
  showGame(game) {
    const [first, second] = game.names;
    // A show match is between levels; agents of a tournament are shown as they were given.
    const [player1, player2] = game.is_show
      ? [agentName(first), agentName(second)]
      : [first, second];
    const status = game.result ? translate(game.result) : t("watch.move", { ply: game.ply });
    const caption = game.is_show ? t("watch.show") : translate(game.caption);
    $("watched").textContent = t("watch.game", { caption, player1, player2, status });
    this.showPosition(
      { ...game, node: 0, legal: [], spots: {}, can_play: false },
      game.names.join(),
    );
  }

  /** @param {TournamentEntry[]} tournaments */
  showTournaments(tournaments) {
    const select = $("tournaments");
    const selected = select.value;
    const options = tournaments.map(({ store, tournament, name, game, games }) =>
      el(
        "option",
        { value: `${store}/${tournament}` },
        t("watch.entry", {
          name,
          number: tournament,
          game: this.games[game]?.title ?? game,
          games: t("count.games", { count: games }),
        }),
      ),
    );
    const shows = Object.entries(this.games).map(([game, { title }]) =>
      el("option", { value: `show/${game}` }, t("watch.show.of", { game: title })),
    );
    setChildren(select, ...options, ...shows);
    $("tournament").hidden = false;
    $("no-tournaments").hidden = Boolean(tournaments.length);
    if (selected) select.value = selected;
    if (select.selectedIndex < 0) select.selectedIndex = 0;
    this.follow();
  }

  /** @param {Standings} standings */
  showStandings({ agents, recent, rounds, games }) {
    $("watch-count").textContent = t("watch.played", { games: t("count.games", { count: games }) });
    const rows = agents.map((row) =>
      el(
        "tr",
        {},
        el("th", { scope: "row" }, row.agent),
        el(
          "td",
          {},
          row.elo === null ? "–" : `${Math.round(row.elo)}${row.has_forfeits ? "*" : ""}`,
        ),
        el("td", {}, row.score === null ? "–" : percent(row.score)),
        el("td", {}, `${row.wins}/${row.draws}/${row.losses}`),
        el("td", {}, forfeits(row)),
      ),
    );
    setChildren($("watch-table"), ...rows);
    $("watch-forfeits").hidden = !agents.some((row) => row.has_forfeits);
    $("watch-by-round").hidden = !rounds.length;
    setChildren($("watch-rounds"), ...rounds.map((meeting) => el("li", {}, translate(meeting))));
    const latest = recent.map(({ player1, player2, result, plies }) =>
      el(
        "li",
        {},
        t("watch.result", { player1, player2, result, moves: t("count.moves", { count: plies }) }),
      ),
    );
    setChildren($("watch-recent"), ...latest);
  }
}
