// Texts about games and players.

/** @import { Game, Outcome, Player } from "../types/messages.d.ts" */

/** @param {string} text */
export const capitalize = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/**
 * Return a player's name. A person who plays alone is "You".
 *
 * @param {Game} game
 * @param {Player} player
 * @param {string} person the name that the server uses for people
 */
export function playerName(game, player, person) {
  const name = game.names[playerIndex(player)];
  if (name !== person) return capitalize(name);
  return countPeople(game) === 1 ? "You" : `Player ${player}`;
}

/** @param {Game} game */
export const countPeople = (game) => game.people.filter(Boolean).length;

/**
 * Return a move as screen readers should speak it.
 *
 * @param {string} move
 */
export function spokenMove(move) {
  if (move === "pass") return "passes";
  const [, cell, wall] = /^([a-z]\d)([hv])$/.exec(move) ?? [];
  return cell ? `${wall === "h" ? "horizontal" : "vertical"} wall at ${cell}` : move;
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
 * Format a count with its noun: "1 game", "2 games".
 *
 * @param {number} number
 * @param {string} noun in the singular
 */
export const count = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

/** @param {number} share from 0 to 1 */
export const percent = (share) => `${Math.round(100 * share)}%`;

/**
 * Say how a game ended.
 *
 * @param {Game} game
 * @param {Outcome} outcome
 * @param {string} person
 */
export function outcomeText(game, { winner, reason }, person) {
  if (winner === null) return `Draw: ${reason}.`;
  const name = playerName(game, winner, person);
  return `${name} ${name === "You" ? "win" : "wins"}${reason ? `: ${reason}` : ""}.`;
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

/**
 * Descriptions for the lists of agents; those that users add have none.
 *
 * @type {Partial<Record<string, string>>}
 */
export const AGENT_DESCRIPTIONS = {
  human: "a person at this screen",
  easy: "for a first game",
  normal: "makes you think",
  hard: "punishes mistakes",
  expert: "strong",
  master: "as strong as it gets",
  random: "plays any legal move",
  pathfinder: "runs, and blocks when it pays off",
  "minimax:depth=2": "textbook minimax, depth 2",
  "minimax:order=dijkstra": "minimax with caches, blocks your goal row",
  "engine:time=1": "full search, one second per move",
  "zero:time=1": "network, one second per move",
};
