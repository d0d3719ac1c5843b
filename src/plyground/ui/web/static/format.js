// Texts about games and players.

/** @import { Game, Outcome, Player } from "../types/messages.d.ts" */

import { findText, t, translate } from "./texts.js";

/** @param {string} text */
const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Return the name of an agent as the page shows it.
 *
 * @param {string} agent
 */
export const agentName = (agent) => findText("agent", agent) ?? capitalize(agent);

/**
 * Describe an agent for a list; agents that users add have no description.
 *
 * @param {string} agent
 */
export const agentDescription = (agent) => findText("agent", agent, ".about");

/**
 * Return a player's name. A person who plays alone, or in an invited game, is "You".
 *
 * @param {Game} game
 * @param {Player} player
 * @param {string} person the name that the server uses for people
 */
export function playerName(game, player, person) {
  const name = game.names[playerIndex(player)];
  if (game.shared && name !== person && game.shared.you !== player) return name;
  if (!game.shared && name !== person) return agentName(name);
  return isYou(game, player, person) ? t("player.you") : t("player.number", { player });
}

/**
 * Return whether a player is the person at this page: the only one of the game, or the one who was
 * invited.
 *
 * @param {Game} game
 * @param {Player} player
 * @param {string} person
 */
export const isYou = (game, player, person) =>
  game.shared
    ? game.shared.you === player
    : game.names[playerIndex(player)] === person && countPeople(game) === 1;

/** @param {Game} game */
export const countPeople = (game) => game.people.filter(Boolean).length;

/**
 * Return a move as screen readers should speak it.
 *
 * @param {string} move
 */
export function spokenMove(move) {
  if (move === "pass") return t("move.pass");
  const [, cell, wall] = /^([a-z]\d)([hv])$/.exec(move) ?? [];
  if (!cell) return move;
  return wall === "h" ? t("move.wall.h", { cell }) : t("move.wall.v", { cell });
}

/**
 * Format the time left: tenths below ten seconds, hours only if there are any.
 *
 * @param {number | null} seconds null without a clock
 */
export function formatClock(seconds) {
  if (seconds === null) return "";
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const twoDigits = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)];
  if (!hours) return `${minutes}:${twoDigits(whole % 60)}`;
  return `${hours}:${twoDigits(minutes % 60)}:${twoDigits(whole % 60)}`;
}

/**
 * Say how a game ended.
 *
 * @param {Game} game
 * @param {Outcome} outcome
 * @param {string} person
 */
export function outcomeText(game, { winner, reason }, person) {
  const why = translate(reason);
  if (winner === null) return t("outcome.draw", { reason: why });
  if (isYou(game, winner, person)) {
    return why ? t("outcome.you.reason", { reason: why }) : t("outcome.you");
  }
  const name = playerName(game, winner, person);
  return why ? t("outcome.wins.reason", { name, reason: why }) : t("outcome.wins", { name });
}

/** @type {readonly [Player, Player]} */
export const PLAYERS = [1, 2];

/**
 * Return a player's index in the server's pairs.
 *
 * @param {Player} player
 */
export const playerIndex = (player) => (player === 1 ? 0 : 1);

/**
 * The marks of moves: PGN's numeric annotation glyphs.
 *
 * @type {Partial<Record<number, string>>}
 */
export const MARKS = {
  1: "!",
  2: "?",
  3: "!!",
  4: "??",
  5: "!?",
  6: "?!",
  10: " =",
  13: " ∞",
  14: " ⩲",
  15: " ⩱",
  16: " ±",
  17: " ∓",
  18: " +−",
  19: " −+",
};

/**
 * Return who plays the move after `ply` moves. Players always alternate: a pass counts as a move.
 *
 * @param {Game} game
 * @param {number} ply
 * @returns {Player}
 */
export const playerAt = (game, ply) => ((ply % 2 === 0) === (game.first === 1) ? 1 : 2);

/**
 * Return the number of the move after `ply` moves, as records number them: one per pair of moves.
 *
 * @param {Game} game
 * @param {number} ply
 */
export const moveNumber = (game, ply) => Math.floor((ply + game.first - 1) / 2) + 1;
