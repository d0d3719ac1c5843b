// The opening explorer: moves that were played in the position, how often, and how it ended.

/**
 * @import { BookMove, Game, Position, ServerMessages } from "../types/messages.d.ts"
 * @import { ExplorerActions } from "../types/page.d.ts"
 */

import { $, el, setChildren } from "./dom.js";
import { percent, t } from "./texts.js";

/** While the server counts games, the page asks again after this time. */
const AGAIN_MS = 2000;
/** A position that is only passed while keys step through a game is not asked about. */
const DELAY_MS = 100;

/** Classes of the parts of a result, in the server's order. */
const RESULTS = ["player1", "drawn", "player2"];

export class Explorer {
  /** @param {ExplorerActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.node = 0;
    /** The position that was requested last. @type {string | null} */
    this.key = null;
    this.timer = 0;
    /** @type {BookMove[]} */
    this.moves = [];
    /** The move that a click keeps on the board. @type {string | null} */
    this.pinned = null;
    $("openings").addEventListener("change", () => {
      $("explorer").hidden = !$("openings").checked;
      this.showMove(null);
      this.request();
    });
  }

  /**
   * Follow the position on the board.
   *
   * @param {Game} game
   * @param {Position} position
   */
  show(game, { node, ply, moves }) {
    const key = `${game.number}/${node}/${moves.slice(0, ply).join(" ")}`;
    this.node = node;
    if (key === this.key) return;
    this.key = key;
    this.pinned = null;
    this.request();
  }

  /** Forget what was requested over the previous connection. */
  refresh() {
    this.key = null;
  }

  /** @param {number} [delay] milliseconds */
  request(delay = DELAY_MS) {
    clearTimeout(this.timer);
    if (!$("openings").checked || this.key === null) return;
    const { node } = this;
    this.timer = setTimeout(() => this.actions.send("explore", { ply: 0, node }), delay);
  }

  /** @param {ServerMessages["explorer"]} message */
  receive({ node, moves, others, is_counting: isCounting }) {
    if (node !== this.node || !$("openings").checked) return;
    this.moves = moves;
    const hasScores = moves.some(({ score }) => score !== null);
    $("explorer-score").hidden = !hasScores;
    setChildren($("explorer-moves"), ...moves.map((move) => this.createRow(move, hasScores)));
    const more = others ? t("explorer.others", { count: others }) : "";
    const empty = moves.length ? more : t("explorer.empty");
    $("explorer-state").textContent = isCounting ? t("explorer.counting") : empty;
    if (isCounting) this.request(AGAIN_MS);
  }

  /**
   * @param {BookMove} move
   * @param {boolean} hasScores whether the table has the column of scores
   */
  createRow({ step, games, results, score, chance }, hasScores) {
    const [first, drawn, second] = results;
    const known = first + drawn + second;
    const words = known ? t("explorer.result", { first, drawn, second }) : t("explorer.unknown");
    const parts = results.map((number, i) => {
      const part = el("span", { class: RESULTS[i] });
      part.style.width = known ? `${(100 * number) / known}%` : "0";
      return part;
    });
    const button = el(
      "button",
      {
        type: "button",
        class: "line",
        "aria-pressed": String(this.pinned === step.move),
        onpointerenter: () => this.showMove(step.move),
        onpointerleave: () => this.showMove(null),
        onfocus: () => this.showMove(step.move),
        onblur: () => this.showMove(null),
        onclick: () => this.togglePin(step.move),
      },
      step.move,
    );
    return el(
      "tr",
      {},
      el("th", { scope: "row" }, button),
      el("td", {}, games.toLocaleString(document.documentElement.lang)),
      el(
        "td",
        { title: words },
        el("span", { "aria-label": words, role: "img" }, known ? results.join(" / ") : "–"),
        el("span", { class: "results", "aria-hidden": "true" }, ...parts),
      ),
      ...(hasScores ? [el("td", { title: t("explorer.score.how") }, score ?? "–")] : []),
      el("td", { title: t("explorer.chance.how") }, chance === null ? "–" : percent(chance)),
    );
  }

  /**
   * Show a move on the board, or else the one that was clicked.
   *
   * @param {string | null} move
   */
  showMove(move) {
    const shown = move ?? this.pinned;
    const found = $("openings").checked && this.moves.find(({ step }) => step.move === shown);
    this.actions.showMove(found ? found.step : null);
  }

  /** @param {string} move */
  togglePin(move) {
    this.pinned = this.pinned === move ? null : move;
    for (const button of $("explorer-moves").querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.textContent === this.pinned));
    }
    this.showMove(this.pinned);
    if (this.pinned) $("board-box").scrollIntoView({ block: "nearest" });
  }
}
