// Values stored in this browser. Without local storage they last as long as the page.

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
