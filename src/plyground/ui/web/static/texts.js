// The page's texts in the language that the server chose.
//
// What the server says about games is English. `translate` finds such a sentence by the English
// texts under "said.", whose placeholders match any words.

import { $ } from "./dom.js";

/** @typedef {{ pattern: RegExp, names: string[], text: string }} Sentence */

/** @type {Record<string, string>} */
const texts = JSON.parse($("texts").textContent);
/** Translations by English text; none on an English page. @type {Record<string, string>} */
const translations = JSON.parse($("sentences").textContent);
const language = document.documentElement.lang;
const plurals = new Intl.PluralRules(language);
const percents = new Intl.NumberFormat(language, { style: "percent" });
const exactPercents = new Intl.NumberFormat(language, {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});
const signedNumbers = new Intl.NumberFormat(language, { signDisplay: "exceptZero" });

/**
 * Return a text with its placeholders, such as `{name}`, filled in.
 *
 * With a number called `count`, the text is the one of `key.one` or `key.other`, if there are any.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return fill(find(key, values) ?? key, values);
}

/**
 * Return a text, or undefined if there is none of that key.
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
function find(key, { count } = {}) {
  const form = typeof count === "number" ? `${key}.${plurals.select(count)}` : key;
  return texts[form] ?? texts[`${key}.other`] ?? texts[key];
}

/**
 * Return the text of a name that only some texts know, or else undefined.
 *
 * @param {string} section
 * @param {string} name any characters
 * @param {string} [part] the end of the key
 */
export const findText = (section, name, part = "") =>
  find(`${section}.${name.replace(/[^\w]+/g, "-")}${part}`);

/**
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (found, name) => String(values[name] ?? found));
}

/** @param {number} number written with its sign */
export const signed = (number) => signedNumbers.format(number);

/** @param {number} share from 0 to 1 */
export const percent = (share) => percents.format(share);

/** @param {number} share from 0 to 1 */
export const exactPercent = (share) => exactPercents.format(share);

/** The patterns with the most words come first. @type {Sentence[]} */
const sentences = Object.entries(translations)
  .sort(([one], [other]) => literals(other).length - literals(one).length)
  .map(([english, text]) => ({ ...parseTemplate(english), text }));
/** @type {Map<string, string>} */
const translated = new Map();
const MOST_TRANSLATED = 500;

/**
 * Return a sentence of the server in the page's language; an unknown one stays as it is.
 *
 * @param {string} sentence
 * @returns {string}
 */
export function translate(sentence) {
  const known = translated.get(sentence);
  if (known !== undefined) return known;
  if (translated.size >= MOST_TRANSLATED) translated.clear();
  const text = findTranslation(sentence) ?? formatNumbers(sentence);
  translated.set(sentence, text);
  return text;
}

/**
 * Return the server's own word for a word that the page shows, such as the name of an agent.
 *
 * @param {string} word
 */
export const untranslate = (word) => serverWords().get(word.toLowerCase()) ?? word;

/** @type {Map<string, string> | null} */
let wordsOfServer = null;

/** The server's words by those of the page; none on an English page, which shows the same. */
function serverWords() {
  if (wordsOfServer) return wordsOfServer;
  wordsOfServer = new Map();
  if (!sentences.length) return wordsOfServer;
  for (const [key, text] of Object.entries(texts)) {
    const agent = /^agent\.(\w+)$/.exec(key)?.[1];
    if (agent) wordsOfServer.set(text.toLowerCase(), agent);
  }
  for (const [english, text] of Object.entries(translations)) {
    if (/^[\w-]+$/.test(english)) wordsOfServer.set(text.toLowerCase(), english);
  }
  return wordsOfServer;
}

/** @param {string} sentence */
function findTranslation(sentence) {
  for (const { pattern, names, text } of sentences) {
    const match = pattern.exec(sentence);
    if (!match) continue;
    return fill(
      text,
      Object.fromEntries(names.map((name, i) => [name, translate(match[i + 1] ?? "")])),
    );
  }
  return null;
}

/**
 * Return the words of a template between its placeholders.
 *
 * @param {string} template
 */
function literals(template) {
  return template.replace(/\{\w+\}/g, "");
}

/** @param {string} template */
function parseTemplate(template) {
  const [first = "", ...rest] = template.split(/\{(\w+)\}/);
  const names = rest.filter((_, i) => i % 2 === 0);
  const others = rest.filter((_, i) => i % 2 === 1);
  const escaped = [first, ...others].map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return { pattern: new RegExp(`^${escaped.join("(.+?)")}$`), names };
}

/**
 * Write numbers such as 2,000 and 62% as the language does.
 *
 * @param {string} text
 */
function formatNumbers(text) {
  if (!sentences.length) return text;
  if (/^\d+%$/.test(text)) return percent(Number.parseInt(text) / 100);
  if (!/^\d{1,3}(,\d{3})+$/.test(text)) return text;
  return Number(text.replaceAll(",", "")).toLocaleString(language);
}
