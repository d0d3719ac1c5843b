// What the page says about games, in words.

export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : text);

/** A player's name as the others read it: people are "You" where there is just one. */
export function nameOf(game, player, person = "human") {
  const name = game.names[player - 1];
  if (name !== person) return capital(name);
  const people = game.people.filter(Boolean).length;
  return people === 1 ? "You" : `Player ${player}`;
}

/** A move as it is spoken. */
export function spoken(move) {
  if (move === "pass") return "passes";
  if (move.length === 3) {
    return `${move[2] === "h" ? "horizontal" : "vertical"} wall at ${move.slice(0, 2)}`;
  }
  return move;
}

/** Seconds as clocks show them. */
export function clock(seconds) {
  if (seconds === null) return "";
  if (seconds < 10) return `0:0${(Math.floor(seconds * 10) / 10).toFixed(1)}`;
  const whole = Math.floor(seconds);
  const two = (n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60)];
  if (!hours) return `${minutes}:${two(whole % 60)}`;
  return `${hours}:${two(minutes % 60)}:${two(whole % 60)}`;
}

/** How a game ended, for a person to read. */
export function ending(game, person) {
  const { winner, reason } = game.outcome;
  if (winner === null) return `A draw: ${reason}.`;
  const name = nameOf(game, winner, person);
  return `${name} ${name === "You" ? "win" : "wins"}${reason ? `: ${reason}` : ""}.`;
}

/** Who plays the move after so many. In Reversi a pass is a move too, so players always alternate. */
export const playerAt = (game, ply) => (ply % 2 === 0 ? game.first : 3 - game.first);

/** The number before a move, as records have it. */
export function numberOf(game, ply) {
  const turn = ply + game.first - 1;
  return Math.floor(turn / 2) + 1;
}

/** A level or an agent in the list of players. */
export const ABOUT = {
  human: "a person at this screen",
  easy: "for a first game",
  normal: "makes you think",
  hard: "punishes mistakes",
  expert: "strong",
  master: "as strong as it gets",
  random: "any legal move",
  pathfinder: "runs, and blocks when that gains",
  "minimax:depth=2": "the textbook's",
  "engine:time=1": "the full search, a second a move",
  "zero:time=1": "the network, a second a move",
};
