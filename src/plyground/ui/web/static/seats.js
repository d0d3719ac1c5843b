// The seats of this browser in invited games. A link to a seat has its key in the fragment, which
// browsers do not send to a server; it leaves the address as soon as the page has read it.

/** @import { StoredSeat } from "../types/page.d.ts" */

import { readAddress, replaceGameAddress } from "./address.js";
import { load, save } from "./storage.js";

const MOST_SEATS = 50;
const KEY = /^#([\w-]{22})$/;
const TAB_KEY = "plyground.key.";

/** The keys of this tab by game, where the tab has no storage. @type {Map<string, string>} */
const tabKeys = new Map();

/** Read the key from the address, if there is one, and remove it there. */
export function takeKey() {
  const { game } = readAddress();
  const key = KEY.exec(location.hash)?.[1];
  if (!game || !key) return false;
  replaceGameAddress(game);
  setTabKey(game, key);
  // A browser with a seat in this game keeps it in its other tabs.
  if (!load("seats", {})[game]) rememberSeat(game, { key, when: Date.now() });
  return true;
}

/** Return the fields of `hello` for the invited game in the address. */
export function invitedFields() {
  const { game } = readAddress();
  return game ? { invited: game, key: keyOf(game) } : {};
}

/**
 * Store a seat; the oldest ones are forgotten.
 *
 * @param {string} game
 * @param {StoredSeat} seat
 */
export function rememberSeat(game, seat) {
  const seats = Object.entries({ ...load("seats", {}), [game]: seat });
  seats.sort(([, one], [, other]) => other.when - one.when);
  save("seats", Object.fromEntries(seats.slice(0, MOST_SEATS)));
}

/** Return the games in which this browser has a seat, latest first. */
export const knownSeats = () =>
  Object.entries(load("seats", {})).sort(([, one], [, other]) => other.when - one.when);

/**
 * Return the key of this tab in a game, or else of this browser.
 *
 * @param {string} game
 */
export function keyOf(game) {
  return tabKey(game) ?? load("seats", {})[game]?.key ?? null;
}

/**
 * Return the key of the other player, if this browser has invited them.
 *
 * @param {string} game
 */
export function otherKeyOf(game) {
  const seat = load("seats", {})[game];
  return seat?.key === keyOf(game) ? seat?.other_key : undefined;
}

/** @param {string} game */
function tabKey(game) {
  try {
    return sessionStorage.getItem(TAB_KEY + game);
  } catch {
    return tabKeys.get(game) ?? null;
  }
}

/**
 * @param {string} game
 * @param {string} key
 */
function setTabKey(game, key) {
  tabKeys.set(game, key);
  try {
    sessionStorage.setItem(TAB_KEY + game, key);
  } catch {
    // The browser does not allow storage; the tab keeps its key until it is reloaded.
  }
}
