// Values stored in this browser. Without local storage they last as long as the page.
//
// Every tab has a session of its own, in the tab's storage. The browser knows the sessions of all
// tabs, so that a new tab continues a game that is not open, and lists the games of the others.

/** @import { Stored } from "../types/page.d.ts" */

/** @type {Map<string, unknown>} */
const memory = new Map();

/**
 * Return a stored value, or the fallback.
 *
 * @template {keyof Stored} Name
 * @param {Name} name
 * @param {Stored[Name]} fallback
 * @returns {Stored[Name]}
 */
export function load(name, fallback) {
  try {
    const text = localStorage.getItem(`plyground.${name}`);
    return text === null ? fallback : JSON.parse(text);
  } catch {
    return memory.has(name) ? /** @type {Stored[Name]} */ (memory.get(name)) : fallback;
  }
}

/**
 * Store a value.
 *
 * @template {keyof Stored} Name
 * @param {Name} name
 * @param {Stored[Name]} value
 */
export function save(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(`plyground.${name}`, JSON.stringify(value));
  } catch {
    // The browser does not allow storage; the value in memory is used instead.
  }
}

const MOST_SESSIONS = 20;
const TAB_SESSION = "plyground.session";

/** The session of this tab where the tab has no storage. @type {string | null} */
let tabSession = null;

/** Return the fields of `hello`: the session of this tab, and the others, latest first. */
export function knownSessions() {
  const first = load("session", null); // of a browser that knew one session only
  const sessions = load("sessions", first ? [first] : []);
  return { session: loadTabSession(), others: sessions.join(" ") };
}

/**
 * Make a session that of this tab.
 *
 * @param {string} session
 */
export function rememberSession(session) {
  const { others } = knownSessions();
  const sessions = [session, ...others.split(" ").filter((each) => each && each !== session)];
  save("sessions", sessions.slice(0, MOST_SESSIONS));
  tabSession = session;
  try {
    sessionStorage.setItem(TAB_SESSION, session);
  } catch {
    // The browser does not allow storage; the tab keeps its session until it is reloaded.
  }
}

function loadTabSession() {
  try {
    return sessionStorage.getItem(TAB_SESSION);
  } catch {
    return tabSession;
  }
}
