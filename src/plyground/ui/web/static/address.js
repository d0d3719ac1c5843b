// The addresses of the page's parts: /play, /learn, /learn/3, /puzzles, /puzzles/12, /watch, and /game/ID
// for an invited game, which is played in the part "play".

/** @import { Address, Mode } from "../types/page.d.ts" */

/** The parts that have an address; page_files.py has the same list. @type {readonly Mode[]} */
const PAGES = ["play", "learn", "puzzles", "watch"];
const ADDRESS = /^\/(\w+)(?:\/([\w-]+))?$/;

/**
 * Return the part of the page that is in an address, and its item: 12 in /puzzles/12.
 *
 * @returns {Address}
 */
export function readAddress(path = location.pathname) {
  const [, name, item = ""] = ADDRESS.exec(path) ?? [];
  if (name === "game") return { page: "play", item: "", game: item };
  const page = PAGES.find((each) => each === name);
  return page ? { page, item } : { page: "play", item: "" };
}

/** @param {Address} address */
const formatAddress = ({ page, item, game }) =>
  game ? `/game/${game}` : item ? `/${page}/${item}` : `/${page}`;

/**
 * Go to an address, unless the page is there already.
 *
 * @param {Mode} page
 * @param {string | number} [item]
 */
export function pushAddress(page, item = "") {
  const address = formatAddress({ page, item: String(item) });
  if (address !== formatAddress(readAddress())) history.pushState(null, "", address);
}

/**
 * Change the address without another entry in the browser's history.
 *
 * @param {Mode} page
 * @param {string | number} [item]
 */
export function replaceAddress(page, item = "") {
  history.replaceState(null, "", formatAddress({ page, item: String(item) }));
}

/**
 * Go to an invited game.
 *
 * @param {string} game
 */
export function pushGameAddress(game) {
  if (game !== readAddress().game) history.pushState(null, "", `/game/${game}`);
}

/**
 * Remove everything but the game from the address.
 *
 * @param {string} game
 */
export function replaceGameAddress(game) {
  history.replaceState(null, "", `/game/${game}`);
}
