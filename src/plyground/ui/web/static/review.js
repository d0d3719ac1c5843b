// The review of a game: classes of moves, its mistakes on the board, better lines, second tries.

/**
 * @import {
 *   Game, GameReport, Judgement, Mistake, MoveClass, Position, ServerMessages, View
 * } from "../types/messages.d.ts"
 * @import { ReviewActions } from "../types/page.d.ts"
 */

import { $, el, setChildren } from "./dom.js";
import { PLAYERS, countPeople, moveNumber, playerAt, playerIndex } from "./format.js";
import { announce } from "./notices.js";
import { sentences } from "./remarks.js";
import { percent, t, translate } from "./texts.js";
import { treeOf } from "./tree.js";

/** @type {MoveClass[]} */
const CLASSES = ["best", "equal", "good", "inaccuracy", "mistake", "blunder"];
/** Classes that end a second try. @type {MoveClass[]} */
const FOUND = ["best", "equal", "good"];

export class Review {
  /** @param {ReviewActions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {Game | null} */
    this.game = null;
    /** @type {GameReport | null} */
    this.report = null;
    this.ply = 0;
    this.isMain = true;
    /** The mistake whose position is shown, or that is tried again. @type {Mistake | null} */
    this.mistake = null;
    /** The position in which a better move is searched. @type {number | null} */
    this.triedNode = null;
    /** The positions of the better line, and the one shown. @type {View[]} */
    this.line = [];
    this.step = 0;
    $("next-mistake").addEventListener("click", () => this.showNext());
    $("try-again").addEventListener("click", () => this.tryAgain());
    $("better-line").addEventListener("click", () => {
      if (this.line.length) this.leaveLine();
      else this.requestLine();
    });
    $("line-back").addEventListener("click", () => this.stepLine(-1));
    $("line-forward").addEventListener("click", () => this.stepLine(1));
  }

  /**
   * Show the classes of a report; null removes it.
   *
   * @param {GameReport | null} report
   */
  setReport(report) {
    this.report = report;
    this.mistake = this.triedNode = null;
    this.setLine([]);
    $("review-panel").hidden = !report;
    if (!report) return;
    const head = PLAYERS.map((player) => el("th", { scope: "col" }, this.actions.nameOf(player)));
    setChildren($("classes-head"), el("th", { scope: "col" }, t("review.moves")), ...head);
    const shares = report.accuracy.map((share) => (share === null ? "–" : percent(share)));
    const rows = CLASSES.map((name) => {
      const counts = report.counts.map((each) => String(each[name]));
      return createRow(t(`review.class.${name}`), t(`review.class.${name}.how`), counts, name);
    });
    const how = t("review.accuracy.how");
    setChildren($("classes"), createRow(t("review.accuracy"), how, shares, "accuracy"), ...rows);
  }

  /** The mistakes that are still moves of the game. */
  get mistakes() {
    if (!this.game || !this.report) return [];
    const { mainLine } = treeOf(this.game);
    const { moves, mistakes } = this.report;
    const different = moves.findIndex((move, i) => move !== mainLine[i]?.move);
    return different < 0 ? mistakes : mistakes.filter((mistake) => mistake.ply <= different);
  }

  /**
   * Follow the position on the board; returns it as the board should show it.
   *
   * @param {Game} game
   * @param {Position} position
   * @returns {Position}
   */
  show(game, position) {
    this.game = game;
    this.ply = position.ply;
    this.isMain = treeOf(game).isMain(position.node);
    this.setLine([]);
    if (position.node === this.triedNode) return { ...position, can_play: true };
    this.triedNode = null;
    return position;
  }

  /** Draw the mistake of the position that is shown, after the board has drawn the position. */
  refresh() {
    if (this.triedNode === null) {
      const found = this.isMain && this.mistakes.find((mistake) => mistake.ply === this.ply);
      this.mistake = found || null;
    }
    const { mistake } = this;
    $("exact-from").textContent = this.describeExact();
    $("next-mistake").disabled = !this.mistakes.length;
    $("try-again").hidden = $("better-line").hidden = !mistake;
    $("try-again").setAttribute("aria-pressed", String(this.triedNode !== null));
    if (!mistake) {
      const isClean = this.report && !this.report.mistakes.length;
      this.say(isClean ? t("review.none") : "");
      this.actions.compareMoves(null);
    } else if (this.triedNode !== null) {
      const { move, player } = mistake;
      this.say(t("review.trying", { move, name: this.actions.nameOf(player) }));
      this.actions.compareMoves({ worse: mistake.played, better: null });
    } else {
      const score = { score: translate(mistake.score) };
      const title = mistake.is_exact ? t("review.score.exact", score) : t("review.score", score);
      this.say(this.describe(mistake), title);
      this.actions.compareMoves({ worse: mistake.played, better: mistake.line[0] ?? null });
    }
  }

  /**
   * @param {string} text
   * @param {string} [title]
   */
  say(text, title = "") {
    $("mistake").textContent = text;
    $("mistake").title = title;
  }

  /** Say from which move on results are exact, if that move is still one of the game. */
  describeExact() {
    const { game, report } = this;
    const ply = report?.exact_from;
    if (!game || !ply) return "";
    const played = treeOf(game).mainLine[ply - 1]?.move;
    const move = report.moves[ply - 1];
    return move && move === played ? t("review.exact", { number: turnOf(game, ply), move }) : "";
  }

  /** @param {Mistake} mistake */
  describe(mistake) {
    const { ply, player, move, mark, before, after, line, remarks } = mistake;
    const facts = {
      number: this.game ? turnOf(this.game, ply) : ply,
      move,
      mark,
      name: this.actions.nameOf(player),
      before: percent(before),
      after: percent(after),
      better: line.map((step) => step.move).join(" "),
    };
    return `${t("review.mistake", facts)} ${sentences(remarks, this.isYours(player))}`.trim();
  }

  /** @param {Mistake["player"]} player */
  isYours(player) {
    const { game } = this;
    return Boolean(game && countPeople(game) === 1 && game.people[playerIndex(player)]);
  }

  /** Show the position after the next mistake; after the last one, the first. */
  showNext() {
    const { mistakes, game } = this;
    if (!game) return;
    this.triedNode = null;
    const from = this.isMain ? this.ply : 0;
    const next = mistakes.find((mistake) => mistake.ply > from) ?? mistakes[0];
    if (next) this.actions.showNode(treeOf(game).mainLine[next.ply - 1]?.node ?? 0);
  }

  /** Show the position after the first mistake. */
  showFirst() {
    this.ply = 0;
    this.showNext();
    $("review-panel").scrollIntoView({ block: "nearest" });
    if (!this.mistakes.length) announce(t("review.none"));
  }

  /** The position before the mistake. */
  get nodeBefore() {
    const ply = this.mistake ? this.mistake.ply : 1;
    return this.game ? (treeOf(this.game).mainLine[ply - 2]?.node ?? 0) : 0;
  }

  // A second try.

  tryAgain() {
    if (!this.mistake) return;
    this.leaveLine();
    this.triedNode = this.nodeBefore;
    this.actions.showNode(this.triedNode);
  }

  /**
   * Take a move as a try; false if no move is searched.
   *
   * @param {string} move
   */
  play(move) {
    if (this.triedNode === null) return false;
    const node = this.triedNode;
    if (this.actions.send("try_move", { move, ply: 0, node })) {
      this.say(t("review.judging", { move }));
    }
    return true;
  }

  /** @param {ServerMessages["tried"]} tried */
  receiveTried(tried) {
    if (tried.node !== this.triedNode) return;
    const isFound = FOUND.includes(tried.class);
    const text = this.describeTried(tried);
    this.say(text);
    announce(text);
    const [best] = tried.line;
    const better = isFound ? tried.played : null;
    this.actions.compareMoves({ worse: isFound ? null : tried.played, better });
    if (isFound && best) $("better-line").hidden = false;
  }

  /** @param {Judgement} tried */
  describeTried(tried) {
    const facts = {
      move: tried.move,
      before: percent(tried.before),
      after: percent(tried.after),
      better: tried.line[0]?.move ?? "",
    };
    const why = sentences(tried.remarks, this.isYours(tried.player));
    return `${t(`review.tried.${tried.class}`, facts)} ${why}`.trim();
  }

  // The better line.

  requestLine() {
    if (!this.mistake) return;
    const line = this.mistake.line.map((step) => step.move).join(" ");
    this.actions.send("show_line", { line, ply: 0, node: this.nodeBefore });
  }

  /** @param {ServerMessages["line"]} message */
  receiveLine({ node, line, positions }) {
    const wanted = this.mistake?.line.map((step) => step.move).join(" ");
    if (node !== this.nodeBefore || line !== wanted) return;
    this.setLine(positions);
    this.step = 0;
    this.showStep();
  }

  /** @param {View[]} positions */
  setLine(positions) {
    this.line = positions;
    const isOpen = positions.length > 0;
    $("better-line").setAttribute("aria-pressed", String(isOpen));
    $("line-back").hidden = $("line-forward").hidden = !isOpen;
  }

  /** @param {-1 | 1} by */
  stepLine(by) {
    const step = this.step + by;
    if (step < 0) this.leaveLine();
    else if (step < this.line.length) {
      this.step = step;
      this.showStep();
    }
  }

  showStep() {
    const view = this.line[this.step];
    if (!view) return;
    const last = this.line.length - 1;
    const move = view.moves[this.step - 1] ?? "";
    const text = this.step
      ? t("review.line.step", { number: this.step, move, last })
      : t("review.line.start");
    this.actions.showPreview(view, text);
    const next = this.step === 0 ? this.mistake?.line[0] : null;
    this.actions.compareMoves(next ? { worse: null, better: next } : null);
    $("line-forward").disabled = this.step === last;
    announce(text);
  }

  leaveLine() {
    if (!this.line.length) return;
    this.setLine([]);
    this.actions.showPreview(null);
  }

  /**
   * Step through the better line; false if another key was pressed or no line is shown.
   *
   * @param {string} key
   */
  takeKey(key) {
    if (!this.line.length) return false;
    if (key === "ArrowLeft") this.stepLine(-1);
    else if (key === "ArrowRight") this.stepLine(1);
    else if (key === "Escape") this.leaveLine();
    else return false;
    return true;
  }
}

/**
 * Return the number of a move as records write it: `7.` for player 1, `7…` for player 2.
 *
 * @param {Game} game
 * @param {number} ply the number of moves after it
 */
function turnOf(game, ply) {
  const isFirst = playerAt(game, ply - 1) === 1;
  return `${moveNumber(game, ply - 1)}${isFirst ? "." : "…"}`;
}

/**
 * @param {string} label
 * @param {string} how
 * @param {string[]} values
 * @param {string} className
 */
function createRow(label, how, values, className) {
  const cells = values.map((value) => el("td", {}, value));
  return el("tr", { class: className, title: how }, el("th", { scope: "row" }, label), ...cells);
}
