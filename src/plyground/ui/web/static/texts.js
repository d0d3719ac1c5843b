// The page's texts in the language that the server chose.

import { $ } from "./dom.js";

/** @type {Record<string, string>} */
const texts = JSON.parse($("texts").textContent);
const plurals = new Intl.PluralRules(document.documentElement.lang);

/**
 * Return a text with its placeholders, such as `{name}`, filled in.
 *
 * With a number called `count`, the text is the one of `key.one` or `key.other`, if there are any.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const { count } = values;
  const form = typeof count === "number" ? `${key}.${plurals.select(count)}` : key;
  const text = texts[form] ?? texts[`${key}.other`] ?? texts[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (found, name) => String(values[name] ?? found));
}
