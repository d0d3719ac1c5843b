// Lessons: a position, a task, one move. Progress is stored in this browser.

/**
 * @import { Lesson, LessonEntry, ServerMessages, Welcome } from "../types/messages.d.ts"
 * @import { LearnActions, TextStyle } from "../types/page.d.ts"
 */

import { pushAddress, replaceAddress } from "./address.js";
import { $, el, setChildren, setCurrent } from "./dom.js";
import { announce, notify } from "./notices.js";
import { load, save } from "./storage.js";
import { t, translate } from "./texts.js";

export class Learn {
  /** @param {LearnActions} actions */
  constructor(actions) {
    this.actions = actions;
    /** @type {LessonEntry[]} */
    this.lessons = [];
    /** @type {Welcome["games"]} */
    this.games = {};
    /** The number of the lesson, from 1; 0 for the list of all. */
    this.number = 0;
    /** @type {Lesson | null} */
    this.lesson = null;
    this.step = 0;
    this.isDone = false;
    $("learn-show").addEventListener("click", () => this.showAnswer());
    $("learn-next").addEventListener("click", () => this.goOn());
    $("learn-pass").addEventListener("click", () => this.play("pass"));
    $("learn-play").addEventListener("click", () => {
      if (!this.lesson?.first_game) return;
      this.saveProgress(0);
      this.actions.startGame(this.lesson.first_game);
    });
  }

  /** @param {Welcome} welcome */
  setGames({ lessons, games }) {
    this.lessons = lessons;
    this.games = games;
  }

  // Progress: the number of steps done, by the key of the lesson.

  get progress() {
    return load("lessons", {});
  }

  /** @param {LessonEntry} entry */
  isFinished({ key, steps }) {
    return (this.progress[key] ?? -1) >= steps;
  }

  /** @param {number} steps */
  saveProgress(steps) {
    const key = this.lessons[this.number - 1]?.key;
    if (key === undefined) return;
    save("lessons", { ...this.progress, [key]: Math.max(steps, this.progress[key] ?? 0) });
  }

  /** Return the number of the first lesson that is not finished, or else of the first. */
  nextNumber() {
    const found = this.lessons.findIndex((entry) => !this.isFinished(entry));
    return Math.max(found, 0) + 1;
  }

  // Going from lesson to lesson.

  /**
   * Show the lesson of an address, or the list for an unknown one.
   *
   * @param {string} item
   */
  enter(item) {
    const number = Number(item);
    const isKnown = Number.isInteger(number) && this.lessons[number - 1] !== undefined;
    if (item && !isKnown) {
      replaceAddress("learn");
      notify(t("learn.unknown", { item }));
    }
    this.number = isKnown ? number : 0;
    this.lesson = null;
    this.actions.send("get_lesson", { number: this.number || this.nextNumber() });
  }

  leave() {
    this.lesson = null;
    this.actions.showPaths(null);
  }

  /** @param {number} number */
  goTo(number) {
    pushAddress("learn", number || "");
    this.enter(String(number || ""));
  }

  /** Go to the next step, the next lesson, or from the list to a lesson. */
  goOn() {
    if (!this.number) this.goTo(this.nextNumber());
    else if (this.lesson && this.step + 1 < this.lesson.steps.length) this.showStep(this.step + 1);
    else this.goTo(this.number < this.lessons.length ? this.number + 1 : 0);
    $("board").focus({ preventScroll: true });
  }

  /** @param {Lesson} lesson */
  showLesson(lesson) {
    if (lesson.number !== (this.number || this.nextNumber())) return;
    this.lesson = lesson;
    if (!this.number) this.showOverview(lesson);
    else if (lesson.steps.length) this.showStep(0);
    else this.showFirstGame(lesson);
  }

  /** @param {Lesson} lesson */
  showOverview(lesson) {
    this.setTexts(t("pages.learn"), "", t("learn.intro"));
    this.showBoard(lesson);
    this.showButtons({ next: t("learn.start", { number: lesson.number }) });
    this.showList();
  }

  /**
   * Show a position of a lesson, without moves.
   *
   * @param {Lesson} lesson
   */
  showBoard({ number, steps, position }) {
    const shown = steps[0]?.position ?? position;
    if (!shown) return;
    this.actions.showPaths(false);
    this.actions.showPosition({ ...shown, legal: [], can_play: false }, `${number} start`);
  }

  /** @param {number} number */
  showStep(number) {
    const step = this.lesson?.steps[number];
    if (!step) return;
    this.step = number;
    this.isDone = false;
    const count = this.lesson?.steps.length ?? 0;
    this.setTexts(this.title, t("learn.step", { step: number + 1, count }), t(`${step.key}.task`));
    this.actions.showPaths(step.shows_paths);
    this.actions.showPosition(step.position, `${this.number} ${number}`);
    this.showButtons({ show: true, pass: step.position.legal.join() === "pass" });
    this.showList();
    announce(t(`${step.key}.task`));
  }

  /** @param {Lesson} lesson */
  showFirstGame(lesson) {
    const task = t(`${this.lessons[this.number - 1]?.key}.task`);
    this.setTexts(this.title, "", task);
    this.showBoard(lesson);
    this.showButtons({ play: true, next: this.nextText });
    this.showList();
    announce(task);
  }

  // Answers.

  /** @param {string} move */
  play(move) {
    if (!this.isDone && this.lesson?.steps.length) {
      this.actions.send("answer_lesson", { number: this.number, step: this.step, move });
    }
  }

  /** @param {ServerMessages["lesson_answer"]} answer */
  showResult({ number, step: place, kind, move, numbers, reason, position }) {
    const step = this.lesson?.steps[place];
    if (!step || number !== this.number || place !== this.step || this.isDone) return;
    if (kind === "illegal") {
      this.setAnswer(reason ? translate(reason) : t("learn.illegal", { move }), "bad");
      return;
    }
    const text = t(`${step.key}.${kind}`, { ...numbers, move });
    this.setAnswer(text, kind === "right" ? "good" : "bad");
    if (kind === "right") this.finishStep(place, position);
  }

  /**
   * @param {number} place
   * @param {Lesson["position"]} position
   */
  finishStep(place, position) {
    const { lesson } = this;
    if (!lesson || !position) return;
    this.isDone = true;
    this.saveProgress(place + 1);
    this.actions.showPosition(
      { ...position, legal: [], can_play: false },
      `${this.number} ${place}`,
    );
    const isLast = place + 1 === lesson.steps.length;
    this.showButtons({
      next: isLast ? this.nextText : t("learn.next"),
      play: isLast && Boolean(lesson.first_game),
    });
    this.showList();
    $("learn-next").focus({ preventScroll: true });
  }

  showAnswer() {
    const step = this.lesson?.steps[this.step];
    if (!step || this.isDone) return;
    this.actions.setHint(step.answer);
    this.setAnswer(t("learn.answer", { move: step.answer }), "");
  }

  /**
   * Return why a move of the step is illegal.
   *
   * @param {string} move
   */
  findReason(move) {
    const reason = this.lesson?.steps[this.step]?.reasons[move];
    return reason ? translate(reason) : null;
  }

  // The panel.

  get title() {
    const key = this.lessons[this.number - 1]?.key;
    return t("learn.heading", { number: this.number, title: t(`${key}.title`) });
  }

  get nextText() {
    return this.number < this.lessons.length ? t("learn.next-lesson") : t("learn.all");
  }

  /**
   * @param {string} title
   * @param {string} step
   * @param {string} task
   */
  setTexts(title, step, task) {
    $("learn-title").textContent = title;
    $("learn-step").textContent = step;
    $("learn-task").textContent = task;
    this.setAnswer("", "");
  }

  /**
   * @param {string} text
   * @param {TextStyle} style
   */
  setAnswer(text, style) {
    $("learn-answer").textContent = text;
    $("learn-answer").className = style;
  }

  /** @param {{ show?: boolean, pass?: boolean, play?: boolean, next?: string }} shown */
  showButtons({ show = false, pass = false, play = false, next = "" }) {
    $("learn-show").hidden = !show;
    $("learn-pass").hidden = !pass;
    $("learn-play").hidden = !play;
    $("learn-next").hidden = !next;
    $("learn-next").textContent = next;
    $("learn-next").classList.toggle("main", !play);
  }

  /** Show all lessons by game, with those that are done. */
  showList() {
    const done = this.lessons.filter((entry) => this.isFinished(entry)).length;
    $("learn-progress").textContent = t("learn.progress", { done, count: this.lessons.length });
    const games = [...new Set(this.lessons.map(({ game }) => game))];
    setChildren(
      $("learn-list"),
      ...games.flatMap((game) => [
        el("h3", {}, this.games[game]?.title ?? game),
        el("ol", {}, ...this.lessons.flatMap((entry, i) => this.drawEntry(entry, i + 1, game))),
      ]),
    );
  }

  /**
   * @param {LessonEntry} entry
   * @param {number} number
   * @param {string} game
   */
  drawEntry(entry, number, game) {
    if (entry.game !== game) return [];
    const isFinished = this.isFinished(entry);
    const link = el(
      "a",
      {
        href: `/learn/${number}`,
        class: isFinished ? "done" : "",
        onclick: (/** @type {Event} */ event) => {
          event.preventDefault();
          this.goTo(number);
        },
      },
      `${number}. ${t(`${entry.key}.title`)}`,
      isFinished ? el("span", { class: "unseen" }, ` (${t("learn.done")})`) : null,
    );
    setCurrent(link, number === this.number ? "page" : null);
    return [el("li", {}, link)];
  }
}
