// Remarks about moves as sentences in the page's language.

/** @import { Remark } from "../types/messages.d.ts" */

import { t } from "./texts.js";

/** Nouns that end the names of counted values. */
const NOUN = /_(steps|discs|moves)$/;

/**
 * Return remarks as sentences.
 *
 * @param {Remark[]} remarks
 * @param {boolean} isYours whether the reader made the move
 */
export function sentences(remarks, isYours) {
  return remarks
    .map(({ kind, values }) => t(`remark.${kind}.${isYours ? "you" : "player"}`, phrases(values)))
    .join(" ");
}

/** @param {Remark["values"]} values */
function phrases(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const noun = NOUN.exec(name)?.[1];
      return [
        name,
        noun && typeof value === "number" ? t(`remark.${noun}`, { count: value }) : value,
      ];
    }),
  );
}
