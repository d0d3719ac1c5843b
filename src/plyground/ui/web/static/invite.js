// Games with a friend elsewhere: the dialog that invites, and the panel with links and offers.

/**
 * @import { Game, OfferKind, ServerMessages, SharedState, Welcome } from "../types/messages.d.ts"
 * @import { InviteActions } from "../types/page.d.ts"
 */

import { readAddress } from "./address.js";
import { createControl } from "./dialogs.js";
import { $, el, setChildren } from "./dom.js";
import { playerIndex, playerName } from "./format.js";
import { announce } from "./notices.js";
import { keyOf, knownSeats, otherKeyOf, rememberSeat } from "./seats.js";
import { load, save } from "./storage.js";
import { t, translate } from "./texts.js";

const LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"];

/** @type {Record<OfferKind, string>} */
const OFFERED_BY_OTHER = {
  draw: "shared.asked.draw",
  take_back: "shared.asked.back",
  rematch: "shared.asked.rematch",
};
/** @type {Record<OfferKind, string>} */
const OFFERED_BY_YOU = {
  draw: "shared.offered.draw",
  take_back: "shared.offered.back",
  rematch: "shared.offered.rematch",
};

export class Invite {
  /** @param {InviteActions} actions */
  constructor(actions) {
    this.actions = actions;
    this.form = $("invite-form");
    this.person = "";
    /** @type {string[]} */
    this.addresses = [];
    /** @type {Welcome["games"]} */
    this.games = {};
    /** The controls of the game's settings. @type {(HTMLInputElement | HTMLSelectElement)[]} */
    this.settings = [];
    /** @type {Game | null} */
    this.game = null;
    this.receivedAt = 0;
    /** The game in which the stored name was sent. */
    this.namedIn = "";
    this.announced = "";
    this.isStudying = false;
    this.addListeners();
    setInterval(() => this.updateClaim(), 1000);
  }

  addListeners() {
    const { send } = this.actions;
    $("invite-button").addEventListener("click", () => this.open());
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit();
    });
    $("invite-games").addEventListener("change", () => this.adaptToGame());
    $("name-form").addEventListener("submit", (event) => {
      event.preventDefault();
      const name = $("name-form").elements.name.value.trim();
      save("name", name);
      if (send("set_name", { name })) $("name-form").elements.name.blur();
    });
    $("offer-draw").addEventListener("click", () => send("make_offer", { kind: "draw" }));
    $("offer-back").addEventListener("click", () => send("make_offer", { kind: "take_back" }));
    $("offer-rematch").addEventListener("click", () => send("make_offer", { kind: "rematch" }));
    $("offer-accept").addEventListener("click", () => send("answer_offer", { accept: true }));
    for (const id of /** @type {const} */ (["offer-decline", "offer-withdraw"])) {
      $(id).addEventListener("click", () => send("answer_offer", { accept: false }));
    }
    $("claim").addEventListener("click", () => send("claim_game"));
    $("study").addEventListener("click", () => {
      this.isStudying = send("export");
    });
    $("shared-send").addEventListener("click", () => this.sendLink());
  }

  // The dialog.

  /** @param {Welcome} welcome */
  setGames({ person, games, addresses }) {
    this.person = person;
    this.games = games;
    this.addresses = addresses;
    const radios = Object.entries(games).map(([name, { title }], i) =>
      el(
        "label",
        {},
        el("input", { type: "radio", name: "game", value: name, checked: i === 0 }),
        title,
      ),
    );
    setChildren($("invite-games"), $("invite-games").firstElementChild, ...radios);
    this.adaptToGame();
  }

  open() {
    this.form.elements.name.value = load("name", "");
    const seats = knownSeats().map(([game, { title, when }]) =>
      el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            class: "row",
            onclick: () => {
              $("invite-dialog").close();
              this.actions.join(game);
            },
          },
          el("span", { class: "row-players" }, title ?? t("invite.game")),
          el("span", { class: "row-facts" }, new Date(when).toLocaleString(this.language)),
        ),
      ),
    );
    setChildren($("invite-list"), ...seats);
    $("invite-before").hidden = !seats.length;
    $("invite-local").hidden = !this.isLocal;
    $("invite-dialog").showModal();
  }

  /** Show the settings of the selected game. */
  adaptToGame() {
    const settings = this.games[this.form.elements.game.value]?.settings ?? [];
    const usual = settings.filter((setting) => !setting.is_advanced);
    this.settings = usual.map(createControl);
    const fields = usual.map(({ label, usual: values }, i) => {
      const control = this.settings[i];
      if (control instanceof HTMLInputElement) control.placeholder = values[""] ?? "";
      return el("label", { class: "field" }, translate(label), control ?? null);
    });
    setChildren($("invite-settings"), ...fields);
    $("invite-settings").hidden = !fields.length;
  }

  submit() {
    const { game, time, seat, name, watchers } = this.form.elements;
    const given = this.settings.filter((control) => control.value.trim());
    save("name", name.value.trim());
    this.actions.send("invite", {
      game: game.value,
      settings: Object.fromEntries(given.map((each) => [each.name, each.value.trim()])),
      time: time.value || null,
      seat: seat.value === "1" ? 1 : seat.value === "2" ? 2 : 0,
      name: name.value.trim(),
      private: !watchers.checked,
    });
  }

  /** @param {ServerMessages["invited"]} message */
  receive({ game, key, other_key }) {
    const title = this.games[this.form.elements.game.value]?.title;
    rememberSeat(game, { key, other_key, title, when: Date.now() });
    $("invite-dialog").close();
    this.actions.join(game);
  }

  /**
   * Open the exported game for study, if that was asked for.
   *
   * @param {ServerMessages["export"]} message
   */
  takeExport({ link }) {
    const { isStudying } = this;
    this.isStudying = false;
    if (isStudying) this.actions.openLink(link);
    return isStudying;
  }

  // The panel.

  /** @param {Game} game */
  show(game) {
    const { shared } = game;
    this.game = game;
    this.receivedAt = performance.now();
    document.body.classList.toggle("shared", Boolean(shared));
    document.body.classList.toggle("watching", shared?.you === null);
    $("shared").hidden = !shared;
    if (!shared) return;
    this.sendName(game, shared);
    this.showLinks(shared);
    this.showOffers(shared);
    this.showText(game, shared);
    this.updateClaim();
  }

  /**
   * Send the name that this browser used before, once per game.
   *
   * @param {Game} game
   * @param {SharedState} shared
   */
  sendName(game, { you }) {
    const isUnnamed = you !== null && game.names[playerIndex(you)] === this.person;
    const [id, name] = [readAddress().game ?? "", load("name", "")];
    $("name-form").hidden = !isUnnamed;
    if (!isUnnamed || !name || this.namedIn === id) return;
    this.namedIn = id;
    this.actions.send("set_name", { name });
  }

  /** @param {SharedState} shared */
  showLinks({ you, joined, private: isPrivate }) {
    const game = readAddress().game ?? "";
    const address = `${this.origin}/game/${game}`;
    const [key, otherKey] = [keyOf(game), otherKeyOf(game)];
    const isWaiting = you !== null && !joined.every(Boolean);
    $("shared-link").value = otherKey ? `${address}#${otherKey}` : "";
    $("shared-link-field").hidden = !otherKey;
    $("shared-watch").value = address;
    $("shared-watch-field").hidden = isPrivate;
    $("shared-own").value = key ? `${address}#${key}` : "";
    $("shared-own-field").hidden = you === null || !key;
    $("shared-local").hidden = !this.isLocal;
    $("shared-send").hidden = !otherKey || !("share" in navigator);
    $("shared-links").hidden = isPrivate && you === null;
    if (isWaiting !== ($("shared-links").dataset.waits === "yes")) {
      $("shared-links").dataset.waits = isWaiting ? "yes" : "no";
      $("shared-links").open = isWaiting && Boolean(otherKey);
    }
  }

  /** @param {SharedState} shared */
  showOffers({ you, joined, offer, offers }) {
    const isOwn = offer !== null && offer.player === you;
    $("offer-accept").hidden = $("offer-decline").hidden = !offer || you === null || isOwn;
    $("offer-withdraw").hidden = !isOwn;
    const isOver = Boolean(this.game?.outcome);
    const mayOffer = you !== null && !offer && joined.every(Boolean);
    $("offer-draw").hidden = $("offer-back").hidden = !mayOffer || isOver;
    $("offer-rematch").hidden = !mayOffer || !isOver;
    $("offer-draw").disabled = !offers.includes("draw");
    $("offer-back").disabled = !offers.includes("take_back");
    $("offer-rematch").disabled = !offers.includes("rematch");
    $("study").hidden = !isOver;
  }

  /**
   * @param {Game} game
   * @param {SharedState} shared
   */
  showText(game, shared) {
    const text = this.describe(game, shared);
    $("shared-text").textContent = text;
    if (text !== this.announced && shared.offer) announce(text);
    this.announced = text;
  }

  /**
   * Say what the players wait for.
   *
   * @param {Game} game
   * @param {SharedState} shared
   */
  describe(game, { you, joined, present, offer }) {
    if (you === null) return t("shared.watching");
    if (!joined.every(Boolean)) return t("shared.waiting");
    const other = you === 1 ? 2 : 1;
    const name = playerName(game, other, this.person);
    if (offer)
      return t((offer.player === you ? OFFERED_BY_YOU : OFFERED_BY_OTHER)[offer.kind], { name });
    return t(present[playerIndex(other)] ? "shared.here" : "shared.away", { name });
  }

  /** Show when the opponent's seat is given up, and then the button that claims the game. */
  updateClaim() {
    const claimInS = this.game?.shared?.claim_in_s ?? null;
    const elapsed = (performance.now() - this.receivedAt) / 1000;
    const left = claimInS === null ? null : Math.max(0, Math.ceil(claimInS - elapsed));
    $("claim").hidden = left !== 0;
    $("claim-in").hidden = !left;
    if (left) $("claim-in").textContent = t("shared.claim-in", { time: formatMinutes(left) });
  }

  /** Send the link with an app of the device. */
  async sendLink() {
    try {
      await navigator.share({ title: t("invite.title"), url: $("shared-link").value });
    } catch {
      // The person has closed the list of apps.
    }
  }

  get language() {
    return document.documentElement.lang;
  }

  /** Whether other machines cannot open the address of this page. */
  get isLocal() {
    return LOCAL_HOSTS.includes(location.hostname) && !this.addresses.length;
  }

  /** The address of the page that others can open. */
  get origin() {
    const [shared] = this.addresses;
    return shared && LOCAL_HOSTS.includes(location.hostname)
      ? shared.replace(/\/$/, "")
      : location.origin;
  }
}

/** @param {number} seconds */
const formatMinutes = (seconds) =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
