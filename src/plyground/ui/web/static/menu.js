// The menu of a phone: what does not fit on the screen beside the board, shown below it when asked.

import { $, isInside } from "./dom.js";

/** Called when the menu has been opened or closed. */
let onToggle = () => {};

/** @param {boolean} isOpen */
export function openMenu(isOpen) {
  if (isOpen === document.body.classList.contains("menu-open")) return;
  document.body.classList.toggle("menu-open", isOpen);
  $("more").setAttribute("aria-expanded", String(isOpen));
  if (isOpen) $("more").scrollIntoView({ block: "start" });
  else scrollTo(0, 0);
  onToggle();
}

/** @param {() => void} listener called when the menu has been opened or closed */
export function wireMenu(listener) {
  onToggle = listener;
  $("more").addEventListener("click", () => {
    openMenu($("more").getAttribute("aria-expanded") !== "true");
  });
  // An action from the menu shows its effect on the board.
  document.addEventListener("click", (event) => {
    const isOpen = document.body.classList.contains("menu-open");
    if (isOpen && isInside(event, "#redo, #flip, #undo, #hint, #play-on")) openMenu(false);
  });
}
