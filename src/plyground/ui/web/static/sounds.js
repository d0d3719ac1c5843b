// The sounds of a game, made of a few tones each. A button switches them off and on.

/**
 * @import { Game } from "../types/messages.d.ts"
 * @import { Sound, Tone } from "../types/page.d.ts"
 */

import { $ } from "./dom.js";
import { load, save } from "./storage.js";

/** @type {Record<Sound, Tone[]>} */
const SOUNDS = {
  step: [{ shape: "sine", from: 500, to: 360, length: 0.08, volume: 0.3 }],
  wall: [
    { shape: "triangle", from: 210, to: 80, length: 0.14, volume: 0.6 },
    { shape: "square", from: 900, to: 200, length: 0.02, volume: 0.12 },
  ],
  disc: [
    { shape: "sine", from: 760, to: 620, length: 0.05, volume: 0.25 },
    { shape: "sine", from: 620, to: 500, length: 0.06, volume: 0.2, after: 0.07 },
  ],
  low: [
    { shape: "square", from: 880, to: 880, length: 0.08, volume: 0.1 },
    { shape: "square", from: 880, to: 880, length: 0.08, volume: 0.1, after: 0.16 },
  ],
  end: [
    { shape: "triangle", from: 523, to: 523, length: 0.35, volume: 0.25 },
    { shape: "triangle", from: 659, to: 659, length: 0.35, volume: 0.25, after: 0.13 },
    { shape: "triangle", from: 784, to: 784, length: 0.5, volume: 0.25, after: 0.26 },
  ],
};
const SILENT = 0.001;

export class Sounds {
  constructor() {
    this.isOn = load("sound", true);
    /** Created with the first sound, since browsers allow none before a click. */
    this.context = /** @type {AudioContext | null} */ (null);
    this.showButton();
    $("sound").addEventListener("click", () => {
      this.isOn = !this.isOn;
      save("sound", this.isOn);
      this.showButton();
      this.play("step");
    });
  }

  showButton() {
    $("sound").setAttribute("aria-pressed", String(this.isOn));
  }

  /** @param {Sound} name */
  play(name) {
    if (!this.isOn || navigator.userActivation?.hasBeenActive === false) return;
    this.context ??= new AudioContext();
    void this.context.resume();
    for (const tone of SOUNDS[name]) playTone(this.context, tone);
  }

  /**
   * Play the sound of the last move that was added, and of the end.
   *
   * @param {Game} before
   * @param {Game} game
   */
  playChange(before, game) {
    const last = game.moves.at(-1);
    if (last && game.moves.length > before.moves.length) this.play(soundOf(game, last));
    if (game.outcome && !before.outcome) this.play("end");
  }
}

/**
 * @param {Game} game
 * @param {string} move
 * @returns {Sound}
 */
function soundOf({ board }, move) {
  if (board.kind === "grid") return "disc";
  return board.walls.includes(move) ? "wall" : "step";
}

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 */
function playTone(context, { shape, from, to, length, volume, after = 0 }) {
  const start = context.currentTime + after;
  const end = start + length;
  const oscillator = context.createOscillator();
  const gain = context.createGain();
  oscillator.type = shape;
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, end);
  gain.gain.setValueAtTime(volume, start);
  gain.gain.exponentialRampToValueAtTime(SILENT, end);
  oscillator.connect(gain).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(end);
}
