// Why moves are illegal, which the server is asked once per position and move.

/** @import { Position, Send, ServerMessages } from "../types/messages.d.ts" */

import { translate } from "./texts.js";

/** A pointer that only passes over a wall asks for no reason. */
const DELAY_MS = 30;

export class Reasons {
  /** @param {Send} send */
  constructor(send) {
    this.send = send;
    /** By node and move. @type {Map<string, string | null>} */
    this.known = new Map();
    /** @type {Map<string, (reason: string | null) => void>} */
    this.awaited = new Map();
    this.timer = 0;
  }

  /** Forget the reasons of a game that has changed. */
  clear() {
    this.known.clear();
  }

  /**
   * Find the reason; null for a legal move.
   *
   * @param {Position} position
   * @param {string} move
   * @returns {Promise<string | null>}
   */
  async find({ ply, node }, move) {
    const key = `${node} ${move}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    return new Promise((resolve) => {
      this.awaited.set(key, resolve);
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.send("why", { move, ply, node }), DELAY_MS);
    });
  }

  /** @param {ServerMessages["why"]} message */
  receive({ move, node, reason: english }) {
    const key = `${node} ${move}`;
    const reason = english === null ? null : translate(english);
    this.known.set(key, reason);
    this.awaited.get(key)?.(reason);
    this.awaited.delete(key);
  }
}
