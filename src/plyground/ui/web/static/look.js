// How the page looks: its colours and its board. theme.js applies the choice before the first paint.

/** @import { BoardTheme, Theme } from "../types/page.d.ts" */

import { $ } from "./dom.js";
import { load, save } from "./storage.js";

export function wireLook() {
  const form = $("look-form");
  const { theme, board } = form.elements;
  theme.value = load("theme", "auto");
  board.value = load("board", "wood");
  form.addEventListener("change", () => {
    save("theme", /** @type {Theme} */ (theme.value));
    save("board", /** @type {BoardTheme} */ (board.value));
    applyChoice("theme", theme.value === "auto" ? "" : theme.value);
    applyChoice("board", board.value);
  });
}

/**
 * @param {"theme" | "board"} name
 * @param {string} value
 */
function applyChoice(name, value) {
  if (value) document.documentElement.dataset[name] = value;
  else delete document.documentElement.dataset[name];
}
