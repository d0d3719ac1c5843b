// Messages to the user: below the board, in front of the page, and to screen readers.

/** @import { TextStyle } from "../types/page.d.ts" */

import { $ } from "./dom.js";

const NOTICE_MS = 4000;

let timer = 0;

/**
 * Show a text below the board.
 *
 * @param {string | null} text
 * @param {TextStyle} [style]
 */
export function showReason(text, style = "") {
  $("reason").textContent = text;
  $("reason").className = style;
}

/**
 * Show a notice for a few seconds.
 *
 * @param {string} text
 */
export function notify(text) {
  const notice = $("notice");
  notice.textContent = text;
  if (notice.matches(":popover-open")) notice.hidePopover();
  notice.showPopover(); // shown again, it is above an open dialog
  clearTimeout(timer);
  timer = setTimeout(() => notice.hidePopover(), NOTICE_MS);
}

/**
 * Tell screen readers. They ignore a text that does not change, so a repeated one gets a space.
 *
 * @param {string} text
 */
export function announce(text) {
  const region = $("speech");
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
