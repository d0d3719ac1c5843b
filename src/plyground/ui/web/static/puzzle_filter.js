// The form that chooses puzzles: game, board, theme and level.

/**
 * @import { PuzzlesInfo, Welcome } from "../types/messages.d.ts"
 * @import { PuzzleChoice } from "../types/page.d.ts"
 */

import { $, el, setChildren } from "./dom.js";
import { load, save } from "./storage.js";
import { findText, t } from "./texts.js";

export class PuzzleFilter {
  /** @param {() => void} onChange */
  constructor(onChange) {
    /** @type {PuzzlesInfo} */
    this.info = { count: 0, levels: [], games: {} };
    /** @type {Welcome["games"]} */
    this.games = {};
    $("puzzle-filter").addEventListener("change", () => {
      save("puzzle-filter", this.read());
      this.fill(); // another game has other boards and themes
      onChange();
    });
    $("puzzle-filter").addEventListener("submit", (event) => event.preventDefault());
  }

  /**
   * @param {PuzzlesInfo} info
   * @param {Welcome["games"]} games
   */
  setGames(info, games) {
    this.info = info;
    this.games = games;
    this.fill();
  }

  /** What the next puzzle must be. */
  get value() {
    const { game, board, theme, level } = this.read();
    return {
      game: game || null,
      board: board ? Number(board) : null,
      theme: theme || null,
      level: level || null,
    };
  }

  /** @param {keyof PuzzleChoice} name */
  select(name) {
    return /** @type {HTMLSelectElement} */ ($("puzzle-filter").elements.namedItem(name));
  }

  /** @returns {PuzzleChoice} */
  read() {
    return {
      game: this.select("game").value,
      board: this.select("board").value,
      theme: this.select("theme").value,
      level: this.select("level").value,
    };
  }

  fill() {
    const { info } = this;
    const chosen = load("puzzle-filter", { game: "", board: "", theme: "", level: "" });
    const shown = Object.entries(info.games)
      .filter(([name]) => !chosen.game || name === chosen.game)
      .map(([, game]) => game);
    const boards = [...new Set(shown.flatMap((game) => game.boards))].sort((a, b) => b - a);
    const themes = [...new Set(shown.flatMap((game) => game.themes))];
    this.setOptions("game", chosen.game, Object.keys(info.games), (name) => {
      return this.games[name]?.title ?? name;
    });
    this.setOptions("board", chosen.board, boards.map(String), (size) => `${size}×${size}`);
    this.setOptions("theme", chosen.theme, themes, (name) => {
      return findText("puzzle.theme", name) ?? name;
    });
    this.setOptions("level", chosen.level, info.levels, (name) => {
      return findText("puzzle.level", name) ?? name;
    });
  }

  /**
   * @param {keyof PuzzleChoice} name
   * @param {string} chosen
   * @param {string[]} values
   * @param {(value: string) => string} label
   */
  setOptions(name, chosen, values, label) {
    const options = values.map((value) => el("option", { value }, label(value)));
    setChildren(this.select(name), el("option", { value: "" }, t("puzzle.filter.all")), ...options);
    this.select(name).value = values.includes(chosen) ? chosen : "";
  }
}
