// The line for a first visit: who you are, what to do, who plays against you, and where
// to learn more.
//
// The first move or a click removes it for good.

/** @import { Game } from "../types/messages.d.ts" */

import { $ } from "./dom.js";
import { agentName } from "./format.js";
import { load, save } from "./storage.js";
import { findText, t } from "./texts.js";

export class FirstVisit {
  /** @param {() => void} goToLessons */
  constructor(goToLessons) {
    $("welcome-close").addEventListener("click", () => this.dismiss());
    $("welcome-learn").addEventListener("click", (event) => {
      event.preventDefault();
      this.dismiss();
      goToLessons();
    });
  }

  /** @param {Game} game */
  show({ game, names, people: [first, second], moves }) {
    const isNew = load("visited", false) === false && first !== second;
    if (isNew && moves.length > (first ? 0 : 1)) this.dismiss();
    else {
      const player = first ? 1 : 2;
      const task = findText("welcome", game, `.${player}`) ?? t("welcome.other", { player });
      const name = agentName(names[first ? 1 : 0]);
      $("welcome-text").textContent = `${task} ${t("welcome.opponent", { name })}`;
      $("welcome").hidden = !isNew;
    }
  }

  dismiss() {
    save("visited", true);
    $("welcome").hidden = true;
  }
}
