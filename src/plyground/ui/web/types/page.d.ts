// Types of the page itself: its elements, what it stores, and how its modules call each other.

import type {
  BoardState,
  ClientMessages,
  GameName,
  LineMove,
  Mistake,
  PolicyMoves,
  Position,
  Send,
} from "./messages.d.ts";

export type Mode = "play" | "puzzles" | "watch";
export type Theme = "auto" | "light" | "dark";
/** Suspended: the server has closed an idle session; a click resumes it. */
export type ConnectionState = "open" | "lost" | "suspended";
/** The CSS class of a text below the board or a puzzle. */
export type TextStyle = "good" | "bad" | "";

/** Elements of index.html by id: those that the scripts use. */
export interface PageElements {
  theme: HTMLButtonElement;
  offline: HTMLParagraphElement;
  "offline-text": HTMLSpanElement;
  wake: HTMLButtonElement;
  speech: HTMLParagraphElement;
  notice: HTMLParagraphElement;

  bar: HTMLDivElement;
  "bar-fill": HTMLDivElement;
  "bar-text": HTMLSpanElement;
  "board-box": HTMLDivElement;
  board: SVGSVGElement;
  reason: HTMLParagraphElement;
  "position-text": HTMLParagraphElement;

  player1: HTMLDivElement;
  player2: HTMLDivElement;
  status: HTMLParagraphElement;
  thinking: HTMLParagraphElement;
  "move-box": HTMLDivElement;
  "no-moves": HTMLParagraphElement;
  moves: HTMLOListElement;
  first: HTMLButtonElement;
  back: HTMLButtonElement;
  forward: HTMLButtonElement;
  last: HTMLButtonElement;
  "play-on": HTMLButtonElement;
  "typed-form": HTMLFormElement;
  typed: HTMLInputElement;
  pass: HTMLButtonElement;
  undo: HTMLButtonElement;
  redo: HTMLButtonElement;
  hint: HTMLButtonElement;
  flip: HTMLButtonElement;
  resign: HTMLButtonElement;
  "share-button": HTMLButtonElement;

  engine: HTMLInputElement;
  paths: HTMLInputElement;
  network: HTMLInputElement;
  "engine-state": HTMLParagraphElement;
  lines: HTMLOListElement;
  "analyse-game": HTMLButtonElement;
  progress: HTMLProgressElement;
  report: HTMLDivElement;
  graph: SVGSVGElement;
  accuracy: HTMLParagraphElement;
  mistake: HTMLParagraphElement;
  "next-mistake": HTMLButtonElement;

  "puzzle-title": HTMLHeadingElement;
  "puzzle-level": HTMLParagraphElement;
  "puzzle-text": HTMLParagraphElement;
  "puzzles-players": HTMLUListElement;
  "puzzle-before": HTMLButtonElement;
  "puzzle-answer": HTMLButtonElement;
  "puzzle-next": HTMLButtonElement;
  "puzzle-facts": HTMLParagraphElement;

  "no-tournaments": HTMLParagraphElement;
  tournament: HTMLDivElement;
  tournaments: HTMLSelectElement;
  watched: HTMLParagraphElement;
  "watch-players": HTMLUListElement;
  "watch-count": HTMLParagraphElement;
  "watch-table": HTMLTableSectionElement;
  "watch-recent": HTMLOListElement;

  "new-dialog": HTMLDialogElement;
  "new-form": HTMLFormElement & { readonly elements: NewGameControls };
  "quoridor-settings": HTMLDivElement;

  "share-dialog": HTMLDialogElement;
  "share-link": HTMLInputElement;
  "share-position": HTMLInputElement;
  "share-record": HTMLTextAreaElement;
  download: HTMLButtonElement;
  "paste-form": HTMLFormElement;
  "paste-text": HTMLTextAreaElement;
  "paste-file": HTMLInputElement;

  "games-button": HTMLButtonElement;
  "games-dialog": HTMLDialogElement;
  "games-query": HTMLInputElement;
  "games-count": HTMLParagraphElement;
  "games-list": HTMLOListElement;

  "help-dialog": HTMLDialogElement;
  "help-moves": HTMLPreElement;
}

/** The controls of the form for a new game, by name. */
interface NewGameControls extends HTMLFormControlsCollection {
  game: RadioNodeList;
  player1: HTMLSelectElement;
  player2: HTMLSelectElement;
  size: HTMLSelectElement;
  walls: HTMLInputElement;
  time: HTMLSelectElement;
  position: HTMLInputElement;
}

/** Attributes of a new element; a function under "onclick" listens to "click". */
export type Attributes = Record<
  string,
  string | number | boolean | null | undefined | ((event: Event) => void)
>;

/** What the browser stores, by name. */
export interface Stored {
  session: string | null;
  theme: Theme;
  /** The settings of the latest new game. */
  new: Partial<ClientMessages["new_game"]>;
  puzzles: PuzzleProgress;
}

export interface PuzzleProgress {
  streak: number;
  best: number;
  /** Numbers of solved puzzles. */
  solved: number[];
  /** Number of the puzzle that was shown last. */
  at: number;
}

export interface Point {
  x: number;
  y: number;
}

export interface Piece {
  /** Creates the element when the piece first appears. */
  create: () => SVGElement;
  className: string;
  /** The CSS transform that places the piece. */
  transform?: string;
}

export interface HighlightOptions {
  /** Mark the legal moves. */
  targets: boolean;
  /** Mark the shortest paths (Quoridor only). */
  paths: boolean;
}

/**
 * Geometry and drawing of one game's board. A renderer is only given boards of its own game, so
 * its methods may declare that game's board type.
 */
export interface BoardRenderer {
  /** Whether the board is rotated by 180 degrees. */
  flipped: boolean;
  /** Side length of the drawing. */
  readonly extent: number;
  center(move: string): Point;
  /** The move at a point; touch input is coarse. */
  moveAt(x: number, y: number, isLegal: (move: string) => boolean, coarse: boolean): string | null;
  isWall(move: string): boolean;

  drawBackground(): SVGElement;
  /** Draws the last move, targets and paths below the pieces. */
  drawHighlights(board: BoardState, legal: string[], options: HighlightOptions): SVGElement;
  /** Draws a move for previews, hints, lines and policies. */
  drawMarker(move: string, className: string): SVGElement;
  drawCursor(move: string): SVGElement;
  /** The pieces by a name that stays the same while a piece moves. */
  pieces(board: BoardState): Map<string, Piece>;

  // The keyboard cursor.
  cursorStart(board: BoardState): string;
  /** Moves the cursor by columns to the right and rows down, as seen on the screen. */
  step(move: string, right: number, down: number): string;
  /** Switches between a cell and a wall next to it. */
  toggleWall(move: string): string;
  rotateWall(move: string): string;

  // Texts for screen readers.
  describe(move: string, board: BoardState, legal: string[]): string;
  summary(board: BoardState): string;
}

export interface BoardActions {
  play(move: string): void;
  /** Asks why a move is illegal. */
  findReason(move: string): Promise<string | null>;
  /** Shows a text below the board. */
  showReason(text: string | null, style?: TextStyle): void;
  /** Tells screen readers. */
  announce(text: string): void;
  /** Starts a typed move with its first character. */
  startTyping(character: string): void;
}

export interface AnalysisActions {
  send: Send;
  showPly(ply: number): void;
  showLine(line: LineMove[] | null): void;
  showPolicy(moves: PolicyMoves | null): void;
  showPaths(on: boolean): void;
  markMistakes(mistakes: Mistake[]): void;
}

/** Shows a position that is not part of the current game; the key identifies its game. */
export type ShowPosition = (position: Position, key: string, flipped?: boolean) => void;

export type AgentsByGame = Record<GameName, string[]>;
