// The dialogs: a new game, sharing and opening games, and saved games.

/**
 * @import {
 *   ClientMessages, SavedGame, Send, ServerMessages, Setting, Welcome
 * } from "../types/messages.d.ts"
 */

import { $, el, icon, isInside, setChildren } from "./dom.js";
import { agentDescription, agentName } from "./format.js";
import { notify } from "./notices.js";
import { load, save } from "./storage.js";
import { t, translate, untranslate } from "./texts.js";

const LONGEST_QUERY = 100;
const SEARCH_DELAY_MS = 150;
/** Saved games that are listed at first, and added by each click on "Show more". */
const PAGE_SIZE = 50;

/** Make the buttons with `data-opens` and `data-closes` open and close dialogs. */
export function wireDialogs() {
  /** @type {NodeListOf<HTMLElement>} */
  const openers = document.querySelectorAll("[data-opens]");
  for (const button of openers) {
    const dialog = document.getElementById(button.dataset.opens ?? "");
    if (dialog instanceof HTMLDialogElement) {
      button.addEventListener("click", () => dialog.showModal());
    }
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || isInside(event, "[data-closes]")) dialog.close();
    });
    dialog.addEventListener("close", () => showError(dialog, ""));
  }
}

/**
 * Ask a question; resolves to whether the answer is yes.
 *
 * @param {string} question
 * @param {string} yes the label of the button that agrees
 * @returns {Promise<boolean>}
 */
export function ask(question, yes) {
  const dialog = $("ask-dialog");
  $("ask-title").textContent = question;
  $("ask-yes").textContent = yes;
  $("ask-yes").onclick = () => dialog.close("yes");
  dialog.returnValue = "";
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
  });
}

/**
 * Show the rules of a game in the help: sections, each a heading and paragraphs.
 *
 * @param {string} rules
 */
export function showRules(rules) {
  const sections = rules.split("\n\n").map((section) => section.split("\n"));
  const elements = sections.flatMap(([heading = "", ...paragraphs]) => [
    el("h4", {}, translate(heading)),
    ...paragraphs.map((paragraph) => el("p", {}, translate(paragraph))),
  ]);
  setChildren($("help-rules"), ...elements);
}

/**
 * Show how moves are typed in the help: a line for each kind of move, which begins with an example.
 *
 * @param {string} help
 */
export function showMoveHelp(help) {
  const lines = help.split("\n").map((line) => {
    const [, example = "", text = line] = /^(\S+ +)(.+)$/.exec(line) ?? [];
    return example + translate(text);
  });
  $("help-moves").textContent = lines.join("\n");
}

/** @returns {HTMLDialogElement | null} */
export const openDialog = () => document.querySelector("dialog[open]");

/**
 * Show an error in a dialog.
 *
 * @param {HTMLDialogElement} dialog
 * @param {string} text
 */
export function showError(dialog, text) {
  const line = dialog.querySelector(".refusal");
  if (line) line.textContent = text;
}

export class NewGame {
  /** @param {(options: ClientMessages["new_game"]) => void} start */
  constructor(start) {
    this.form = $("new-form");
    this.person = "";
    /** @type {Welcome["games"]} */
    this.games = {};
    /** @type {string | null} */
    this.offeredGame = null;
    /** The controls of the game's settings. @type {(HTMLInputElement | HTMLSelectElement)[]} */
    this.settings = [];
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const options = this.readOptions();
      save("new", options);
      start(options);
    });
    this.form.addEventListener("change", () => {
      this.adaptToGame();
      this.showUsualValues();
    });
    // Players and settings are often reused, positions are not.
    $("new-dialog").addEventListener("close", () => (this.form.elements.position.value = ""));
  }

  /**
   * Set the games to choose from, and select the latest options.
   *
   * @param {Welcome} welcome
   */
  setGames({ person, games }) {
    this.person = person;
    this.games = games;
    this.offeredGame = null;
    const latest = load("new", {});
    const [usual = ""] = Object.keys(games);
    const radios = Object.entries(games).map(([name, { title }]) =>
      el("label", {}, el("input", { type: "radio", name: "game", value: name }), title),
    );
    setChildren($("new-games"), $("new-games").firstElementChild, ...radios);
    const { elements } = this.form;
    elements.game.value = latest.game && latest.game in games ? latest.game : usual;
    elements.time.value = latest.time ?? "";
    this.adaptToGame();
    for (const control of this.settings) {
      const value = latest.settings?.[control.name];
      if (control instanceof HTMLSelectElement && value) control.value = value;
    }
    this.showUsualValues();
    elements.player1.value = latest.player1 ?? person;
    elements.player2.value = latest.player2 ?? this.usualAgent;
    for (const select of [elements.player1, elements.player2]) {
      if (select.selectedIndex < 0) select.selectedIndex = 0;
    }
  }

  get game() {
    return this.form.elements.game.value;
  }

  /** The lowest level, as in the first game on the page. */
  get usualAgent() {
    return this.games[this.game]?.agents[0] ?? this.person;
  }

  /** Show the agents and the settings of the selected game. */
  adaptToGame() {
    const { game } = this;
    const info = this.games[game];
    if (this.offeredGame === game || !info) return;
    this.offeredGame = game;
    const { player1, player2, position } = this.form.elements;
    this.fillSelect(player1, info.agents, this.person);
    this.fillSelect(player2, info.agents, this.usualAgent);
    position.placeholder = info.position;
    this.settings = info.settings.map(createControl);
    const fields = info.settings.map(({ label, help }, i) =>
      el(
        "label",
        { class: "field" },
        translate(label),
        this.settings[i] ?? null,
        el("small", {}, translate(help)),
      ),
    );
    const isAdvanced = info.settings.map((setting) => setting.is_advanced);
    setChildren($("new-settings"), ...fields.filter((_, i) => !isAdvanced[i]));
    setChildren($("new-advanced"), ...fields.filter((_, i) => isAdvanced[i]));
    $("new-settings").hidden = isAdvanced.every(Boolean);
    $("new-more").hidden = !isAdvanced.some(Boolean);
  }

  /** Show the number that each setting has if it is left empty. */
  showUsualValues() {
    const choices = this.settings.filter((control) => control instanceof HTMLSelectElement);
    this.games[this.game]?.settings.forEach(({ usual }, i) => {
      const control = this.settings[i];
      if (!(control instanceof HTMLInputElement)) return;
      const keys = choices.map(({ name, value }) => `${name}=${value}`);
      const key = keys.findLast((each) => each in usual) ?? "";
      control.placeholder = usual[key] ?? "";
    });
  }

  /**
   * @param {HTMLSelectElement} select
   * @param {string[]} gameAgents
   * @param {string} fallback the agent to select if the present one does not play this game
   */
  fillSelect(select, gameAgents, fallback) {
    const agents = [this.person, ...gameAgents];
    const before = select.value;
    const options = agents.map((agent) => {
      const description = agentDescription(agent);
      return el(
        "option",
        { value: agent },
        description ? `${agentName(agent)} – ${description}` : agent,
      );
    });
    setChildren(select, ...options);
    select.value = agents.includes(before) ? before : fallback;
  }

  /** @returns {ClientMessages["new_game"]} */
  readOptions() {
    const { player1, player2, time, position } = this.form.elements;
    const given = this.settings.filter((control) => control.value.trim());
    return {
      game: this.game,
      player1: player1.value,
      player2: player2.value,
      settings: Object.fromEntries(given.map(({ name, value }) => [name, value.trim()])),
      time: time.value || null,
      position: position.value.trim() || null,
    };
  }
}

/**
 * Create the control of a setting: a list of its choices, or a text field.
 *
 * @param {Setting} setting
 */
export function createControl({ name, choices }) {
  if (!choices.length) return el("input", { name, maxlength: 20, inputmode: "decimal" });
  return el("select", { name }, ...choices.map((choice) => el("option", {}, choice)));
}

export class Records {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    this.record = "";
    /** Whether the server was asked to open a game. */
    this.isOpening = false;
    /** @type {NodeListOf<HTMLElement>} */
    const copyButtons = document.querySelectorAll("[data-copies]");
    for (const button of copyButtons) {
      const field = document.getElementById(button.dataset.copies ?? "");
      if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
        button.addEventListener("click", () => this.copy(field));
      }
    }
    $("share-button").addEventListener("click", () => send("export"));
    $("download").addEventListener("click", () => this.download());
    $("paste-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.open($("paste-text").value);
    });
    $("paste-file").addEventListener("change", async () => {
      const file = $("paste-file").files?.[0];
      if (file) this.open(await file.text());
      $("paste-file").value = "";
    });
    this.addDropListeners();
  }

  addDropListeners() {
    const highlight = (/** @type {boolean} */ on) => document.body.classList.toggle("dropping", on);
    addEventListener("dragover", (event) => {
      event.preventDefault();
      highlight(true);
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) highlight(false);
    });
    addEventListener("drop", async (event) => {
      event.preventDefault();
      highlight(false);
      const file = event.dataTransfer?.files[0];
      this.open(file ? await file.text() : (event.dataTransfer?.getData("text/plain") ?? ""));
    });
    // A paste outside a text field opens the game in the clipboard.
    addEventListener("paste", (event) => {
      if (isInside(event, "input, textarea")) return;
      const text = event.clipboardData?.getData("text/plain") ?? "";
      if (text.trim()) this.open(text);
    });
  }

  /**
   * Open a game from its text, its share link, or the link of an invited game.
   *
   * @param {string} text
   */
  open(text) {
    const invited = /\/game\/[\w-]{22}(?:#[\w-]{22})?$/.exec(text.trim())?.[0];
    if (invited) {
      location.assign(invited);
      return;
    }
    const link = /#game=([\w-]+)/.exec(text)?.[1];
    const isSent = link ? this.send("open_link", { link }) : this.send("paste", { text });
    if (isSent) this.isOpening = true;
  }

  /** Close the dialog that asked for the game that has just started; false if none did. */
  onGameOpened() {
    if (!this.isOpening) return false;
    this.isOpening = false;
    $("paste-text").value = "";
    openDialog()?.close();
    $("board-box").scrollIntoView({ block: "nearest" }); // on a phone it may be out of view
    return true;
  }

  /** @param {ServerMessages["export"]} message */
  showExport({ record, position, link }) {
    this.record = record;
    $("share-link").value = `${location.origin}/#game=${link}`;
    $("share-record").value = record;
    $("share-position").value = position;
    if (!$("share-dialog").open) $("share-dialog").showModal();
  }

  /** @param {HTMLInputElement | HTMLTextAreaElement} field */
  async copy(field) {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.select(); // without clipboard access, the selection can still be copied
      document.execCommand("copy");
    }
    notify(t("share.copied"));
  }

  download() {
    const blob = new Blob([this.record], { type: "text/plain" });
    const link = el("a", { href: URL.createObjectURL(blob), download: "plyground.pgn" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

export class SavedGames {
  /**
   * @param {Send} send
   * @param {(id: string) => void} open opens a saved game
   */
  constructor(send, open) {
    this.send = send;
    this.open = open;
    this.timer = 0;
    this.most = PAGE_SIZE;
    /** @type {Welcome["games"]} */
    this.games = {};
    $("games-button").addEventListener("click", () => {
      this.search();
      $("games-dialog").showModal();
    });
    $("games-query").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.search(), SEARCH_DELAY_MS);
    });
    $("games-game").addEventListener("change", () => this.search());
    $("games-source").addEventListener("change", () => this.search());
    $("games-more").addEventListener("click", () => this.request(this.most + PAGE_SIZE));
  }

  /** @param {Welcome} welcome */
  setGames({ games }) {
    this.games = games;
    const options = Object.entries(games).map(([name, { title }]) =>
      el("option", { value: name }, title),
    );
    setChildren($("games-game"), el("option", { value: "" }, t("games.all")), ...options);
  }

  get filters() {
    return {
      query: $("games-query").value.split(" ").map(untranslate).join(" ").slice(0, LONGEST_QUERY),
      game: $("games-game").value,
      source: $("games-source").value,
    };
  }

  /** List the first games that match. */
  search() {
    this.request(PAGE_SIZE);
  }

  /** @param {number} most */
  request(most) {
    this.most = most;
    this.send("list_games", { ...this.filters, most });
  }

  /** @param {ServerMessages["games"]} message */
  show({ query, game, source, games, more }) {
    const { filters } = this;
    if (query !== filters.query || game !== filters.game || source !== filters.source) return;
    const isFiltered = query || game || source;
    const listed = t("count.games", { count: games.length });
    $("games-count").textContent = games.length
      ? more
        ? t("games.count.more", { games: listed })
        : listed
      : isFiltered
        ? t("games.no-match")
        : t("games.none");
    $("games-more").hidden = !more;
    setChildren($("games-list"), ...games.map((each) => this.createRow(each)));
  }

  /** @param {SavedGame} game */
  async remove(game) {
    const question = t("games.delete.question", { players: playersOf(game) });
    if (!(await ask(question, t("games.delete")))) return;
    this.send("delete_game", { id: game.id });
    this.request(this.most);
  }

  /** @param {SavedGame} game */
  createRow(game) {
    const moves = t("count.moves", { count: game.plies });
    const title = this.games[game.game]?.title ?? game.game;
    const facts = [title, moves, translate(game.reason), translate(game.source), game.when];
    const players = playersOf(game);
    const deleteButton = el(
      "button",
      {
        type: "button",
        class: "quiet",
        "aria-label": t("games.delete.which", { players }),
        title: t("games.delete"),
        onclick: () => this.remove(game),
      },
      icon("i-close"),
    );
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "row", onclick: () => this.open(game.id) },
        el("span", { class: "row-players" }, players),
        el("span", { class: "row-result" }, game.result),
        el("span", { class: "row-facts" }, facts.filter(Boolean).join(" · ")),
      ),
      game.can_delete ? deleteButton : null,
    );
  }
}

/** @param {SavedGame} game */
function playersOf({ player1, player2 }) {
  return t("games.players", { player1: agentName(player1), player2: agentName(player2) });
}
