// The list of moves with variations and comments, and the buttons that step through it.

/** @import { Game, Mistake, Position, TreeMove } from "../types/messages.d.ts" */
/** @import { MoveListActions } from "../types/page.d.ts" */

import { $, el, setChildren, setCurrent } from "./dom.js";
import { MARKS, moveNumber, playerAt, spokenMove } from "./format.js";
import { notify } from "./notices.js";
import { t } from "./texts.js";
import { treeOf } from "./tree.js";

export class MoveList {
  /** @param {MoveListActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.list = $("moves");
    /** @type {Game | null} */
    this.game = null;
    /** The position shown. */
    this.node = 0;
    /** Its number in the line. */
    this.ply = 0;
    /** The line through the position shown. @type {TreeMove[]} */
    this.line = [];
    /** The buttons by node. @type {Map<number, HTMLButtonElement>} */
    this.buttons = new Map();
    /** The marks of a report on the main line, by ply. @type {Map<number, string>} */
    this.marks = new Map();
    /** @type {string | null} */
    this.drawnKey = null;
    /** The position whose comment is in the form. @type {string | null} */
    this.noteKey = null;
    this.addListeners();
  }

  addListeners() {
    const { send } = this.actions;
    $("first").addEventListener("click", () => this.goTo(0));
    $("back").addEventListener("click", () => this.goTo(this.ply - 1));
    $("forward").addEventListener("click", () => this.goTo(this.ply + 1));
    $("last").addEventListener("click", () => this.goToLast());
    $("to-game").addEventListener("click", () => this.backToGame());
    $("promote").addEventListener("click", () => send("promote", { node: this.node }));
    $("delete").addEventListener("click", () => this.deleteVariation());
    $("restore").addEventListener("click", () => send("restore_variation"));
    $("note-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const { mark, comment } = $("note-form").elements;
      const fields = { node: this.node, mark: Number(mark.value), comment: comment.value };
      if (send("annotate", fields)) this.openNote(false);
    });
    $("note-form").addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.openNote(false);
    });
    $("note").addEventListener("click", () => this.openNote($("note-form").hidden === true));
  }

  /**
   * Open or close the form for the comment and the mark.
   *
   * @param {boolean} isOpen
   */
  openNote(isOpen) {
    $("note-form").hidden = !isOpen;
    $("note").setAttribute("aria-expanded", String(isOpen));
    (isOpen ? $("note-form").elements.comment : $("note")).focus();
  }

  /**
   * Show another position of the line.
   *
   * @param {number} ply
   */
  goTo(ply) {
    if (ply < 0 || ply > this.line.length || ply === this.ply) return;
    this.actions.showNode(this.line[ply - 1]?.node ?? 0);
  }

  /** Show the position of the game on this line, or the end of the line. */
  goToLast() {
    const current = this.line.findIndex((move) => move.node === this.game?.node) + 1;
    this.goTo(current > this.ply ? current : this.line.length);
  }

  /**
   * Show the same turn of the previous or next variation.
   *
   * @param {-1 | 1} step
   */
  goToVariation(step) {
    if (!this.game) return;
    const tree = treeOf(this.game);
    const siblings = tree.children.get(tree.moves.get(this.node)?.parent ?? -1) ?? [];
    const next = siblings[siblings.findIndex((move) => move.node === this.node) + step];
    if (next) this.actions.showNode(next.node);
  }

  backToGame() {
    if (!this.game) return;
    const { node, main_end: end } = this.game;
    if (node === end) this.actions.showNode(end);
    else this.actions.playOn(end);
  }

  deleteVariation() {
    if (!this.actions.send("delete_variation", { node: this.node })) return;
    notify(t("variation.deleted"));
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
   * Show a game's moves and highlight the one before the position shown.
   *
   * @param {Game} game
   * @param {Position} position
   */
  show(game, { node, ply }) {
    const tree = treeOf(game);
    this.game = game;
    this.node = node;
    this.ply = ply;
    this.line = tree.line(node);
    const key = `${game.number}/${game.first}/${JSON.stringify(game.tree)}`;
    if (key !== this.drawnKey) {
      this.drawnKey = key;
      this.draw(game);
    }
    for (const [each, button] of this.buttons) {
      const isCurrent = each === node;
      button.classList.toggle("current", isCurrent);
      button.classList.toggle("played", tree.played.has(each));
      setCurrent(button, isCurrent ? "step" : null);
    }
    $("first").disabled = $("back").disabled = ply === 0;
    $("forward").disabled = $("last").disabled = ply === this.line.length;
    this.showTools(game);
    this.scrollToCurrent();
  }

  /**
   * Show the buttons for the variation and the comment of the position shown.
   *
   * @param {Game} game
   */
  showTools(game) {
    const tree = treeOf(game);
    const isVariation = !tree.isMain(this.node);
    $("promote").hidden = $("delete").hidden = !isVariation;
    $("restore").hidden = !game.deleted;
    $("to-game").hidden = !isVariation && game.node === game.main_end;
    $("note").disabled = this.node === 0;
    if (this.node === 0 && !$("note-form").hidden) this.openNote(false);
    const move = tree.moves.get(this.node);
    const key = `${game.number}/${this.node}/${move?.comment}/${move?.marks}`;
    if (key === this.noteKey) return;
    this.noteKey = key;
    const { mark, comment } = $("note-form").elements;
    mark.value = String(move?.marks?.find((each) => each in MARKS && each <= 6) ?? 0);
    comment.value = move?.comment ?? "";
  }

  /** @param {Game} game */
  draw(game) {
    const tree = treeOf(game);
    this.buttons.clear();
    /** @type {HTMLLIElement[]} */
    const rows = [];
    /** The row that waits for player 2's move. @type {HTMLLIElement | null} */
    let row = null;
    let parent = 0;
    for (let ply = 0; ; ply++) {
      const [move, ...others] = tree.children.get(parent) ?? [];
      if (!move) break;
      const button = this.createButton(game, move, ply, this.marks.get(ply + 1));
      if (row && playerAt(game, ply) === 2) row.append(button);
      else rows.push((row = createRow(game, ply, button)));
      const notes = this.createNotes(game, move, others, ply);
      if (notes.length) rows.push(el("li", { class: "notes" }, ...notes));
      if (notes.length || playerAt(game, ply) === 2) row = null;
      parent = move.node;
    }
    setChildren(this.list, ...rows);
    $("no-moves").hidden = rows.length > 0;
  }

  /**
   * Create the comment of a move, and the variations beside it.
   *
   * @param {Game} game
   * @param {TreeMove} move
   * @param {TreeMove[]} others
   * @param {number} ply
   * @returns {HTMLElement[]}
   */
  createNotes(game, move, others, ply) {
    const comment = move.comment ? [el("p", { class: "comment" }, move.comment)] : [];
    return [...comment, ...others.map((other) => this.createVariation(game, other, ply))];
  }

  /**
   * Create a variation, with its own variations inside.
   *
   * @param {Game} game
   * @param {TreeMove} first
   * @param {number} from the ply of its first move
   */
  createVariation(game, first, from) {
    const tree = treeOf(game);
    const label = t("variation.at", { number: moveNumber(game, from) });
    const box = el("div", { class: "variation", role: "group", "aria-label": label });
    /** @type {TreeMove[]} */
    let others = [];
    let needsNumber = true;
    /** @type {TreeMove | undefined} */
    let move = first;
    for (let ply = from; move; ply++) {
      const player = playerAt(game, ply);
      if (player === 1 || needsNumber) {
        const dots = player === 1 ? "." : "…";
        const number = `${moveNumber(game, ply)}${dots}`;
        box.append(el("span", { class: "number", "aria-hidden": "true" }, number));
      }
      box.append(this.createButton(game, move, ply));
      const notes = this.createNotes(game, move, others, ply);
      box.append(...notes);
      needsNumber = notes.length > 0;
      [move, ...others] = tree.children.get(move.node) ?? [];
    }
    return box;
  }

  /**
   * @param {Game} game
   * @param {TreeMove} move
   * @param {number} ply
   * @param {string} [reported] the mark of a report
   */
  createButton(game, { node, move, marks = [] }, ply, reported) {
    const own = marks.map((mark) => MARKS[mark] ?? ` $${mark}`).join("");
    const mark = own || (reported ?? "");
    const player = playerAt(game, ply);
    const number = moveNumber(game, ply);
    const button = el(
      "button",
      {
        type: "button",
        class: `move player${player}${/^\?/.test(mark) ? " mistake" : ""}`,
        "aria-label": t("moves.move", { number, player, move: spokenMove(move) + mark }),
        onclick: () => this.actions.showNode(node),
      },
      move + mark,
    );
    this.buttons.set(node, button);
    return button;
  }

  /** Scroll to the move before the position shown. */
  scrollToCurrent() {
    this.scrollTo(this.buttons.get(this.node));
  }

  /**
   * Scroll a move into view without scrolling the page; to the start without a move.
   *
   * @param {HTMLElement | undefined} move
   */
  scrollTo(move) {
    const box = $("move-box");
    if (!move) {
      box.scrollTop = box.scrollLeft = 0;
      return;
    }
    // On a phone the moves are in one row.
    const right = move.offsetLeft + move.offsetWidth;
    if (move.offsetLeft < box.scrollLeft) box.scrollLeft = move.offsetLeft;
    else if (right > box.scrollLeft + box.clientWidth) box.scrollLeft = right - box.clientWidth;
    const margin = this.list.offsetTop; // the space above the list, kept around the move as well
    const top = move.offsetTop - margin;
    const bottom = move.offsetTop + move.offsetHeight + margin;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (bottom > box.scrollTop + box.clientHeight) box.scrollTop = bottom - box.clientHeight;
  }
}

/**
 * Create the row of a numbered move. It has a gap for player 1 if it begins with player 2's move.
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
