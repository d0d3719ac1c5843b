// The dialogs: a new game, sharing and opening games, and the keys.

import { $, el, kept, put } from "./dom.js";
import { ABOUT, capital } from "./format.js";

/** Buttons that open and close dialogs, by what their attributes say. */
export function wireDialogs() {
  for (const button of document.querySelectorAll("[data-opens]")) {
    button.addEventListener("click", () => $(button.dataset.opens).showModal());
  }
  for (const dialog of document.querySelectorAll("dialog")) {
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog || event.target.closest("[data-closes]")) dialog.close();
    });
    dialog.addEventListener("close", () => refuse(dialog, ""));
  }
}

/** Say in a dialog why something could not be done. */
export function refuse(dialog, text) {
  const line = dialog.querySelector(".refusal");
  if (line) line.textContent = text;
}

export class NewGame {
  /** `begin(fields)` starts it. */
  constructor(begin) {
    this.form = $("new-form");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const fields = this.fields();
      kept.set("new", fields);
      begin(fields);
    });
    this.form.addEventListener("change", () => this.adapt());
    // Sizes and players are likely to be wanted again; a position is not.
    $("new-dialog").addEventListener("close", () => (this.form.elements.position.value = ""));
  }

  offer(welcome) {
    this.welcome = welcome;
    this.offered = null;
    const last = kept.get("new", {});
    const { elements } = this.form;
    elements.game.value = last.game ?? "quoridor";
    elements.size.value = last.size ?? 9;
    elements.time.value = last.time ?? "";
    this.adapt();
    elements.player1.value = last.player1 ?? welcome.person;
    elements.player2.value = last.player2 ?? "normal";
    for (const name of ["player1", "player2"]) {
      if (elements[name].selectedIndex < 0) elements[name].selectedIndex = 0;
    }
  }

  /** Who plays which game, and what only Quoridor asks for. */
  adapt() {
    const { elements } = this.form;
    const game = elements.game.value;
    $("quoridor-settings").hidden = game !== "quoridor";
    if (this.offered === game) return;
    this.offered = game;
    const all = [this.welcome.person, ...this.welcome.agents[game]];
    for (const name of ["player1", "player2"]) {
      const before = elements[name].value;
      const options = all.map((who) =>
        el("option", { value: who }, ABOUT[who] ? `${capital(who)} – ${ABOUT[who]}` : who),
      );
      put(elements[name], ...options);
      elements[name].value = all.includes(before) ? before : name === "player1" ? all[0] : "normal";
    }
  }

  fields() {
    const { elements } = this.form;
    const number = (name) => (elements[name].value === "" ? null : Number(elements[name].value));
    const text = (name) => elements[name].value.trim() || null;
    return {
      game: elements.game.value,
      player1: elements.player1.value,
      player2: elements.player2.value,
      size: number("size"),
      walls: elements.game.value === "quoridor" ? number("walls") : null,
      time: text("time"),
      position: text("position"),
    };
  }
}

export class Records {
  /** `send(type, fields)` talks to the server; `notice(text)` shows a line. */
  constructor(send, notice) {
    this.send = send;
    this.notice = notice;
    for (const button of document.querySelectorAll("[data-copies]")) {
      button.addEventListener("click", () => this.copy($(button.dataset.copies)));
    }
    $("share-button").addEventListener("click", () => send("export"));
    $("download").addEventListener("click", () => this.download());
    $("paste-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.open($("paste-text").value);
    });
    $("paste-file").addEventListener("change", async (event) => {
      const [file] = event.target.files;
      if (file) this.open(await file.text());
      event.target.value = "";
    });
    this.wireDrop();
  }

  wireDrop() {
    const over = (on) => document.body.classList.toggle("dropping", on);
    addEventListener("dragover", (event) => {
      event.preventDefault();
      over(true);
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) over(false);
    });
    addEventListener("drop", async (event) => {
      event.preventDefault();
      over(false);
      const [file] = event.dataTransfer.files;
      this.open(file ? await file.text() : event.dataTransfer.getData("text/plain"));
    });
    // A game pasted anywhere but into a field is opened, too.
    addEventListener("paste", (event) => {
      if (event.target.closest?.("input, textarea")) return;
      const text = event.clipboardData.getData("text/plain");
      if (text.trim()) this.open(text);
    });
  }

  /** A link counts for the game it holds. */
  open(text) {
    const link = /#game=([\w-]+)/.exec(text);
    const sent = link ? this.send("open_link", { link: link[1] }) : this.send("paste", { text });
    if (sent) this.opening = true;
  }

  /** A game has begun: if a dialog asked for it, that has done its work. */
  opened() {
    if (!this.opening) return;
    this.opening = false;
    $("paste-text").value = "";
    document.querySelector("dialog[open]")?.close();
    $("board-box").scrollIntoView({ block: "nearest" }); // the button may be far below it
  }

  hear(message) {
    this.record = message.record;
    $("share-link").value = `${location.origin}${location.pathname}#game=${message.link}`;
    $("share-record").value = message.record;
    $("share-position").value = message.position;
    if (!$("share-dialog").open) $("share-dialog").showModal();
  }

  async copy(field) {
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      field.select(); // where the clipboard is not to be had, people can press the keys themselves
      document.execCommand("copy");
    }
    this.notice("Copied.");
  }

  download() {
    const blob = new Blob([this.record], { type: "text/plain" });
    const link = el("a", { href: URL.createObjectURL(blob), download: "plyground.pgn" });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

export class Games {
  /** `send` talks to the server; `open(id)` opens a game of the list. */
  constructor(send, open) {
    this.open = open;
    this.send = send;
    $("games-button").addEventListener("click", () => {
      this.ask();
      $("games-dialog").showModal();
    });
    $("games-query").addEventListener("input", () => {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.ask(), 150);
    });
  }

  ask() {
    this.send("list_games", { query: $("games-query").value.slice(0, 100) });
  }

  hear({ query, games }) {
    if (query !== $("games-query").value.slice(0, 100)) return;
    $("games-count").textContent = games.length
      ? `${games.length} game${games.length === 1 ? "" : "s"}`
      : query
        ? "No game has these words."
        : "No games yet: those you leave for another one are kept here.";
    put(
      $("games-list"),
      ...games.map((game) =>
        el(
          "li",
          {},
          el(
            "button",
            { type: "button", class: "row", onclick: () => this.open(game.id) },
            el("span", { class: "row-players" }, `${game.player1} – ${game.player2}`),
            el("span", { class: "row-result" }, game.result),
            el(
              "span",
              { class: "row-facts" },
              [capital(game.game), `${game.plies} move${game.plies === 1 ? "" : "s"}`, game.reason, game.source, game.when]
                .filter(Boolean)
                .join(" · "),
            ),
          ),
        ),
      ),
    );
  }
}
