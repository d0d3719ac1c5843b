// The analysis panel: evaluation bar, the engine's best lines, and the report on a whole game.

/**
 * @import {
 *   Game, GameReport, Line, Player, Position, PositionAnalysis, ServerMessages
 * } from "../types/messages.d.ts"
 * @import { AnalysisActions } from "../types/page.d.ts"
 */

import { $, el, setChildren, svg } from "./dom.js";
import { moveNumber } from "./format.js";
import { percent, signed, t, translate } from "./texts.js";
import { treeOf } from "./tree.js";

const GRAPH_WIDTH = 300;
const GRAPH_HEIGHT = 90;

export class Analysis {
  /** @param {AnalysisActions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {Game | null} */
    this.game = null;
    this.ply = 0;
    this.node = 0;
    /** Whether the position is on the main line, which a report is about. */
    this.isMain = true;
    this.isGameOver = false;
    /** The position whose analysis was requested last. @type {string | null} */
    this.positionKey = null;
    /** Whether the server analyses a position. */
    this.isAnalysing = false;

    /** @type {GameReport | null} */
    this.report = null;
    this.isReportPending = false;
    /** How many of the report's moves are still the game's; -1 if unknown. */
    this.matchingPlies = -1;

    /** @type {Line[]} */
    this.lines = [];
    /** Index of the line that a pointer or the focus is on. @type {number | null} */
    this.hoveredLine = null;
    /** Index of the line that a click keeps on the board. @type {number | null} */
    this.pinnedLine = null;
    /** @type {Player | null} */
    this.toMove = null;

    $("engine").addEventListener("change", () => this.requestLines());
    $("network").addEventListener("change", () => this.requestPolicy());
    $("paths").addEventListener("change", () => actions.showPaths($("paths").checked));
    $("analyse-game").addEventListener("click", () => this.requestReport());
    $("graph").addEventListener("click", (event) => this.onGraphClick(event));
  }

  /**
   * Follow the position on the board.
   *
   * @param {Game} game
   * @param {Position} position
   * @param {boolean} hasPaths whether the board can show shortest paths
   */
  show(game, { ply, node, moves, to_move: toMove }, hasPaths) {
    const isOtherGame = this.game?.number !== game.number;
    const key = `${game.number}/${node}/${moves.slice(0, ply).join(" ")}`;
    this.game = game;
    this.ply = ply;
    this.node = node;
    this.isMain = treeOf(game).isMain(node);
    this.isGameOver = toMove === null;
    this.toMove = toMove;
    if (isOtherGame) this.setReport(null);
    this.compareReport();
    showSwitch($("paths"), hasPaths);
    showSwitch($("network"), game.network);
    if (key !== this.positionKey) {
      this.positionKey = key;
      this.pinnedLine = null;
      this.showLines(null);
      this.requestLines();
      this.requestPolicy();
    }
    this.drawGraph();
    $("analyse-game").disabled = !this.mainMoves.length || this.isAnalysed || this.isReportPending;
  }

  /** Whether the report is about the whole game. */
  get isAnalysed() {
    return this.report?.moves.join() === this.mainMoves.join();
  }

  /** The moves of the main line. */
  get mainMoves() {
    return this.game ? treeOf(this.game).mainLine.map((move) => move.move) : [];
  }

  /** Whether the report is about the position. */
  get isReported() {
    return this.isMain && this.ply <= this.matchingPlies;
  }

  /** Request the analysis again, even of the same position. */
  refresh() {
    this.positionKey = null;
  }

  /** Forget what was requested over the previous connection. */
  onReconnect() {
    this.refresh();
    this.isReportPending = this.isAnalysing = false;
  }

  // Requests.

  requestLines() {
    const on = $("engine").checked;
    document.body.classList.toggle("engine-on", on);
    if (!on) this.showLines(null);
    const { ply, node } = this;
    if (this.game && (on || this.isAnalysing)) this.actions.send("analyse", { on, ply, node });
    this.isAnalysing = on;
  }

  requestPolicy() {
    const isWanted = $("network").checked && !this.isGameOver && this.game?.network;
    const { ply, node } = this;
    if (!isWanted || !this.actions.send("policy", { ply, node })) this.actions.showPolicy(null);
  }

  requestReport() {
    if (this.isReportPending) return;
    if (this.actions.send("report", { on: true })) {
      this.isReportPending = true;
      $("analyse-game").disabled = true;
    }
  }

  // Answers.

  /** @param {PositionAnalysis} analysis */
  receiveAnalysis(analysis) {
    if (analysis.node === this.node && $("engine").checked) this.showLines(analysis);
  }

  /** @param {ServerMessages["policy"]} policy */
  receivePolicy({ node, moves }) {
    if (node === this.node && $("network").checked) this.actions.showPolicy(moves);
  }

  /** @param {ServerMessages["report"]} message */
  receiveReport(message) {
    if ("chances" in message) {
      this.setReport(message);
      this.drawGraph();
    } else {
      $("progress").hidden = false;
      $("progress").value = message.done / message.of;
    }
  }

  // Evaluation bar and lines.

  /** @param {PositionAnalysis | null} analysis */
  showLines(analysis) {
    const lines = analysis?.lines ?? [];
    const chance = lines.length ? analysis?.chance : undefined;
    const reported = this.isReported ? this.report?.chances[this.ply] : undefined;
    this.setBar(chance ?? reported ?? null);
    $("bar").title = translate(lines[0]?.score ?? "");
    $("engine-state").textContent = $("engine").checked ? engineStatus(analysis) : "";
    this.setLines(lines);
  }

  /**
   * Show lines as buttons. Buttons are reused, so that hover and focus survive an update.
   *
   * @param {Line[]} lines
   */
  setLines(lines) {
    this.lines = lines;
    const list = $("lines");
    while (list.children.length > lines.length) list.lastElementChild?.remove();
    while (list.children.length < lines.length) {
      list.append(this.createLineButton(list.children.length));
    }
    lines.forEach((line, i) => {
      const button = list.children[i]?.firstElementChild;
      const [chance, moves] = button?.children ?? [];
      const own = this.toMove === 2 ? 1 - line.chance : line.chance;
      const player = this.toMove ?? 1;
      const facts = { player, score: translate(line.score) };
      const isExact = line.exact !== null;
      button?.setAttribute(
        "title",
        isExact ? t("analysis.line.exact", facts) : t("analysis.line", facts),
      );
      // The chances of all moves that win for sure are 100%; their scores differ.
      if (chance) chance.textContent = line.exact === null ? percent(own) : signed(line.exact);
      if (moves) moves.textContent = line.moves.map((step) => step.move).join(" ");
    });
    this.showLineOnBoard();
  }

  /** Show the line under the pointer, or else the one that was clicked. */
  showLineOnBoard() {
    const line = this.lines[this.hoveredLine ?? this.pinnedLine ?? -1];
    this.actions.showLine(line?.moves ?? null);
    [...$("lines").children].forEach((item, i) => {
      item.firstElementChild?.setAttribute("aria-pressed", String(i === this.pinnedLine));
    });
  }

  /** @param {number | null} i */
  hoverLine(i) {
    this.hoveredLine = i;
    this.showLineOnBoard();
  }

  /** @param {number} i */
  togglePin(i) {
    this.pinnedLine = this.pinnedLine === i ? null : i;
    this.showLineOnBoard();
    if (this.pinnedLine !== null) $("board-box").scrollIntoView({ block: "nearest" });
  }

  /** @param {number} i */
  createLineButton(i) {
    // A touch also sends mouse events; only a real mouse hovers.
    const onMouse = (/** @type {number | null} */ line) => (/** @type {Event} */ event) => {
      if (event instanceof PointerEvent && event.pointerType === "mouse") this.hoverLine(line);
    };
    const attributes = {
      type: "button",
      class: "line",
      onpointerenter: onMouse(i),
      onpointerleave: onMouse(null),
      onfocus: (/** @type {Event} */ event) => {
        if (event.target instanceof Element && event.target.matches(":focus-visible"))
          this.hoverLine(i);
      },
      onblur: () => this.hoverLine(null),
      onclick: () => this.togglePin(i),
    };
    const parts = [el("span", { class: "chance" }), el("span", { class: "line-moves" })];
    return el("li", {}, el("button", attributes, ...parts));
  }

  /** @param {number | null} chance player 1's chance of winning, from 0 to 1 */
  setBar(chance) {
    const share = chance ?? 0.5;
    const rounded = Math.round(100 * share);
    $("bar-fill").style.setProperty("--share", String(share));
    $("bar-text").textContent = chance === null ? "" : String(Math.max(rounded, 100 - rounded));
    $("bar").classList.toggle("unknown", chance === null);
    $("bar").classList.toggle("second", share < 0.5);
    $("bar").setAttribute(
      "aria-label",
      chance === null ? t("bar.unknown") : t("bar.chance", { chance: percent(chance) }),
    );
  }

  // Report.

  /** @param {GameReport | null} report */
  setReport(report) {
    this.report = report;
    this.isReportPending = false;
    $("progress").hidden = true;
    $("report").hidden = !report;
    this.matchingPlies = -1;
    this.compareReport();
    this.actions.showReport(report);
  }

  /** Find how many of the report's moves still match, since moves may have been taken back. */
  compareReport() {
    const moves = this.report?.moves ?? [];
    const { mainMoves } = this;
    const different = moves.findIndex((move, ply) => move !== mainMoves[ply]);
    const matching = different < 0 ? moves.length : different;
    if (matching === this.matchingPlies) return;
    this.matchingPlies = matching;
    this.actions.markMistakes(this.mistakes);
  }

  /** The report's mistakes that are still moves of the game. */
  get mistakes() {
    return this.report?.mistakes.filter((mistake) => mistake.ply <= this.matchingPlies) ?? [];
  }

  drawGraph() {
    const { game, report, mistakes } = this;
    if (!report || !game) return;
    const { chances, turning } = report;
    const x = (/** @type {number} */ ply) => (ply / Math.max(1, chances.length - 1)) * GRAPH_WIDTH;
    const y = (/** @type {number} */ chance) => GRAPH_HEIGHT * (1 - chance);
    const points = chances.map((chance, ply) => `${x(ply)} ${y(chance)}`).join("L");
    const middle = y(0.5);
    const dots = mistakes
      .filter((mistake) => turning.includes(mistake.ply))
      .map((mistake) =>
        svg(
          "circle",
          {
            class: `turn player${mistake.player}`,
            cx: x(mistake.ply),
            cy: y(chances[mistake.ply] ?? 0.5),
            r: 4,
          },
          svg("title", {}, `${moveNumber(game, mistake.ply - 1)}. ${mistake.move}${mistake.mark}`),
        ),
      );
    setChildren(
      $("graph"),
      svg("rect", { class: "graph-ground", width: GRAPH_WIDTH, height: GRAPH_HEIGHT }),
      svg("path", { class: "area", d: `M0 ${middle}L${points}L${GRAPH_WIDTH} ${middle}Z` }),
      svg("path", { class: "curve", d: `M${points}` }),
      svg("path", { class: "even", d: `M0 ${middle}H${GRAPH_WIDTH}` }),
      this.isReported
        ? svg("path", { class: "here", d: `M${x(this.ply)} 0V${GRAPH_HEIGHT}` })
        : null,
      ...dots,
    );
  }

  /** @param {MouseEvent} event */
  onGraphClick(event) {
    if (!this.report || !this.game) return;
    const box = $("graph").getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    const ply = Math.round(share * (this.report.chances.length - 1));
    this.actions.showPly(Math.max(0, Math.min(this.mainMoves.length, ply)));
  }
}

/**
 * Show or hide a switch with its label.
 *
 * @param {HTMLInputElement} input
 * @param {boolean} isVisible
 */
function showSwitch(input, isVisible) {
  if (input.parentElement) input.parentElement.hidden = !isVisible;
}

/** @param {PositionAnalysis | null} analysis */
function engineStatus(analysis) {
  if (!analysis) return t("analysis.searching");
  const [best] = analysis.lines;
  if (!best) return t("analysis.over");
  const state = describeEffort(best);
  return analysis.done ? state : t("analysis.deeper", { state });
}

/** @param {Line} line */
function describeEffort({ depth, exact, is_proven: isProven, score }) {
  const facts = { depth, score: translate(score) };
  if (exact !== null) return t("analysis.exact", facts);
  return isProven ? t("analysis.depth.proven", facts) : t("analysis.depth", facts);
}
