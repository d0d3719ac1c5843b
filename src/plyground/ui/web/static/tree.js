// The game's tree of moves: the main line, its variations, and the lines through a position.

/** @import { Game, TreeMove } from "../types/messages.d.ts" */

class GameTree {
  /** @param {Game} game */
  constructor(game) {
    this.current = game.node;
    /** @type {Map<number, TreeMove>} */
    this.moves = new Map();
    /** @type {Map<number, TreeMove[]>} */
    this.children = new Map();
    for (const move of game.tree) {
      this.moves.set(move.node, move);
      const siblings = this.children.get(move.parent);
      if (siblings) siblings.push(move);
      else this.children.set(move.parent, [move]);
    }
    this.mainLine = this.continuation(0);
    this.main = new Set(this.mainLine.map((move) => move.node));
    this.played = new Set(this.path(game.node).map((move) => move.node));
  }

  /**
   * Return whether a position is on the main line.
   *
   * @param {number} node
   */
  isMain(node) {
    return node === 0 || this.main.has(node);
  }

  /**
   * Return the moves that lead to a position.
   *
   * @param {number} node
   */
  path(node) {
    const path = [];
    for (let move = this.moves.get(node); move; move = this.moves.get(move.parent)) path.push(move);
    return path.reverse();
  }

  /**
   * Return the moves after a position: towards the board's position, and on along first moves.
   *
   * @param {number} node
   * @returns {TreeMove[]}
   */
  continuation(node) {
    const line = [];
    for (let next = this.next(node); next; next = this.next(next.node)) line.push(next);
    return line;
  }

  /** @param {number} node */
  next(node) {
    const moves = this.children.get(node) ?? [];
    return moves.find((move) => this.played?.has(move.node)) ?? moves[0];
  }

  /**
   * Return the line through a position.
   *
   * @param {number} node
   */
  line(node) {
    return [...this.path(node), ...this.continuation(node)];
  }

  /**
   * Return whether a position is reached by the same moves as in another tree.
   *
   * @param {GameTree} other
   * @param {number} node
   */
  matches(other, node) {
    const moves = (/** @type {GameTree} */ tree) => tree.path(node).map((move) => move.move);
    return node === 0 || (this.moves.has(node) && moves(this).join(" ") === moves(other).join(" "));
  }
}

/** @type {WeakMap<Game, GameTree>} */
const trees = new WeakMap();

/**
 * Return the tree of a game, which is built once for every message.
 *
 * @param {Game} game
 */
export function treeOf(game) {
  let tree = trees.get(game);
  if (!tree) trees.set(game, (tree = new GameTree(game)));
  return tree;
}
