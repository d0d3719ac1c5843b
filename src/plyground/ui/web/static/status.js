// What the page says about a game: whose turn it is, and what has changed.

/** @import { Game, Player, Position } from "../types/messages.d.ts" */

import { isYou, outcomeText, playerAt, playerName, spokenMove } from "./format.js";
import { t, translate } from "./texts.js";
import { treeOf } from "./tree.js";

/**
 * Return the line above the board.
 *
 * @param {Game} game
 * @param {Position} position the one shown
 * @param {string} person the name that the server uses for people
 */
export function statusText(game, { node, ply, moves }, person) {
  if (node !== game.node) {
    const values = { ply, last: moves.length };
    return treeOf(game).isMain(node) ? t("status.after", values) : t("status.variation", values);
  }
  if (game.outcome) return outcomeText(game, game.outcome, person);
  if (game.shared?.joined.includes(false)) return t("shared.incomplete");
  const turn = turnText(game, game.to_move ?? 1, person);
  const waits = game.asked && game.control !== null && game.running === null;
  return waits ? `${turn} ${t("status.clocks")}` : turn;
}

/**
 * @param {Game} game
 * @param {Player} player the player to move
 * @param {string} person
 */
function turnText(game, player, person) {
  const name = playerName(game, player, person);
  if (!game.asked) return t("status.thinking", { name });
  if (isYou(game, player, person)) return t("status.you");
  const isNumbered = name === t("player.number", { player });
  return isNumbered ? t("board.to-move", { player }) : t("status.turn", { name });
}

/**
 * Return the page's title.
 *
 * @param {string} status the line above the board, empty if none is shown
 */
export const titleOf = (status) =>
  status ? `${status.replace(/[.…]$/, "")} – Plyground` : "Plyground";

/**
 * Say for screen readers what has changed in a game.
 *
 * @param {Game | null} before null in a new game
 * @param {Game} game
 * @param {string} person
 */
export function changesText(before, game, person) {
  if (!before) return t("speech.new", { task: translate(game.task) });
  const different = before.moves.findIndex((move, ply) => move !== game.moves[ply]);
  const known = different < 0 ? before.moves.length : different;
  const added = game.moves.slice(known);
  let sentences = added.map((move, i) => {
    const name = playerName(game, playerAt(game, known + i), person);
    return t("speech.move", { name, move: spokenMove(move) });
  });
  if (known < before.moves.length) {
    if (!added.length) sentences = [t("speech.undone")];
    else if (added.length > 2) sentences = [t("speech.after", { ply: game.ply })];
    if (!treeOf(game).isMain(game.node)) sentences.unshift(t("speech.variation"));
  }
  if (game.outcome && !before.outcome) {
    sentences.push(outcomeText(game, game.outcome, person));
  } else if (added.length && game.asked && isYou(game, game.to_move ?? 1, person)) {
    sentences.push(t("status.you"));
  }
  return sentences.join(" ");
}
