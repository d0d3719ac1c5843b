// Watching a tournament: its table, its latest games, and the newest one on the board.

import { $, el, put } from "./dom.js";
import { capital } from "./format.js";

export class Watch {
  /** `send` talks to the server; `show(shape)` puts a position on the board. */
  constructor(send, show) {
    this.send = send;
    this.show = show;
    $("tournaments").addEventListener("change", () => this.follow());
  }

  begin() {
    this.send("watch");
  }

  end() {
    this.send("unwatch");
  }

  follow() {
    const [store, tournament] = $("tournaments").value.split("/").map(Number);
    if (Number.isInteger(store) && Number.isInteger(tournament)) {
      this.send("watch", { store, tournament });
    }
  }

  hear(message) {
    if (message.type === "tournaments") this.list(message.tournaments);
    else if (message.type === "table") this.table(message);
    else {
      $("watched").textContent =
        `${message.caption}: ${message.names[0]} – ${message.names[1]}` +
        (message.result ? `, ${message.result}` : `, move ${message.ply}`);
      this.show({ ...message, legal: [], can_play: false, number: message.names.join() });
    }
  }

  list(tournaments) {
    const chosen = $("tournaments").value;
    put(
      $("tournaments"),
      ...tournaments.map((each) =>
        el(
          "option",
          { value: `${each.store}/${each.tournament}` },
          `${each.name}, no. ${each.tournament}: ${capital(each.game)}, ${each.games} games`,
        ),
      ),
    );
    const none = !tournaments.length;
    $("tournament").hidden = none;
    $("no-tournaments").hidden = !none;
    document.body.classList.toggle("nothing-to-watch", none);
    if (chosen) $("tournaments").value = chosen;
    if ($("tournaments").selectedIndex < 0) $("tournaments").selectedIndex = 0;
    this.follow();
  }

  table({ agents, recent, games }) {
    const elo = (row) => (row.elo === null ? "–" : Math.round(row.elo));
    $("watch-count").textContent = `${games} games played`;
    put(
      $("watch-table"),
      ...agents.map((row) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, row.agent),
          el("td", {}, String(elo(row))),
          el("td", {}, row.score === null ? "–" : `${Math.round(100 * row.score)}%`),
          el("td", {}, `${row.wins}/${row.draws}/${row.losses}`),
        ),
      ),
    );
    put(
      $("watch-recent"),
      ...recent.map((game) =>
        el("li", {}, `${game.player1} – ${game.player2} ${game.result}, ${game.plies} moves`),
      ),
    );
  }
}
