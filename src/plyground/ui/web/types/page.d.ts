// Types of the page itself: its elements, what it stores, and how its modules call each other.

import type {
  BoardState,
  ClientMessages,
  GameReport,
  LineMove,
  Mistake,
  Player,
  PolicyMoves,
  Position,
  Send,
  View,
} from "./messages.d.ts";

export type Mode = "play" | "learn" | "puzzles" | "watch";
/** An address of the page: /puzzles/12 is the item "12" of the part "puzzles". */
export interface Address {
  page: Mode;
  item: string;
  /** The id of the invited game of /game/ID, which is played in the part "play". */
  game?: string;
}
export type Theme = "auto" | "light" | "dark";
export type BoardTheme = "wood" | "stone" | "sea";
export type Sound = "step" | "wall" | "disc" | "low" | "end";
/** A tone that glides from one frequency to another, in hertz; times are in seconds. */
export interface Tone {
  shape: OscillatorType;
  from: number;
  to: number;
  length: number;
  volume: number;
  /** When it starts. */
  after?: number;
}
/**
 * Suspended: the server has closed an idle session; a click resumes it. Unknown: there is no such
 * invited game, or the link gives no access to it.
 */
export type ConnectionState = "open" | "lost" | "suspended" | "unknown";
/** The CSS class of a text below the board or a puzzle. */
export type TextStyle = "good" | "bad" | "";

/** Elements of index.html by id: those that the scripts use. */
export interface PageElements {
  texts: HTMLScriptElement;
  sentences: HTMLScriptElement;
  language: HTMLSelectElement;
  sound: HTMLButtonElement;
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
  "wall-tools": HTMLDivElement;
  "wall-turn": HTMLButtonElement;
  "wall-place": HTMLButtonElement;
  "wall-cancel": HTMLButtonElement;
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
  "to-game": HTMLButtonElement;
  promote: HTMLButtonElement;
  delete: HTMLButtonElement;
  restore: HTMLButtonElement;
  note: HTMLButtonElement;
  "note-form": HTMLFormElement & { readonly elements: NoteControls };
  "typed-form": HTMLFormElement;
  typed: HTMLInputElement;
  pass: HTMLButtonElement;
  undo: HTMLButtonElement;
  redo: HTMLButtonElement;
  hint: HTMLButtonElement;
  flip: HTMLButtonElement;
  resign: HTMLButtonElement;
  "share-button": HTMLButtonElement;
  "invite-button": HTMLButtonElement;

  shared: HTMLDivElement;
  "shared-text": HTMLParagraphElement;
  "offer-accept": HTMLButtonElement;
  "offer-decline": HTMLButtonElement;
  "offer-withdraw": HTMLButtonElement;
  "offer-draw": HTMLButtonElement;
  "offer-back": HTMLButtonElement;
  "offer-rematch": HTMLButtonElement;
  study: HTMLButtonElement;
  claim: HTMLButtonElement;
  "claim-in": HTMLParagraphElement;
  "name-form": HTMLFormElement & { readonly elements: NameControls };
  "shared-links": HTMLDetailsElement;
  "shared-local": HTMLParagraphElement;
  "shared-link-field": HTMLLabelElement;
  "shared-link": HTMLInputElement;
  "shared-send": HTMLButtonElement;
  "shared-watch-field": HTMLLabelElement;
  "shared-watch": HTMLInputElement;
  "shared-own-field": HTMLLabelElement;
  "shared-own": HTMLInputElement;

  "invite-dialog": HTMLDialogElement;
  "invite-form": HTMLFormElement & { readonly elements: InviteControls };
  "invite-games": HTMLFieldSetElement;
  "invite-settings": HTMLDivElement;
  "invite-local": HTMLParagraphElement;
  "invite-before": HTMLDivElement;
  "invite-list": HTMLOListElement;
  more: HTMLButtonElement;

  engine: HTMLInputElement;
  paths: HTMLInputElement;
  network: HTMLInputElement;
  openings: HTMLInputElement;
  explorer: HTMLDivElement;
  "explorer-state": HTMLParagraphElement;
  "explorer-moves": HTMLTableSectionElement;
  "explorer-score": HTMLTableCellElement;
  "engine-state": HTMLParagraphElement;
  lines: HTMLOListElement;
  "analyse-game": HTMLButtonElement;
  progress: HTMLProgressElement;
  report: HTMLDivElement;
  graph: SVGSVGElement;
  "classes-head": HTMLTableRowElement;
  classes: HTMLTableSectionElement;
  "review-panel": HTMLDivElement;
  mistake: HTMLParagraphElement;
  "exact-from": HTMLParagraphElement;
  "next-mistake": HTMLButtonElement;
  "try-again": HTMLButtonElement;
  "better-line": HTMLButtonElement;
  "line-back": HTMLButtonElement;
  "line-forward": HTMLButtonElement;

  "end-card": HTMLDivElement;
  "end-result": HTMLParagraphElement;
  "end-accuracy": HTMLParagraphElement;
  rematch: HTMLButtonElement;
  review: HTMLButtonElement;

  welcome: HTMLParagraphElement;
  "welcome-text": HTMLSpanElement;
  "welcome-learn": HTMLAnchorElement;
  "welcome-close": HTMLButtonElement;

  "learn-title": HTMLHeadingElement;
  "learn-step": HTMLParagraphElement;
  "learn-task": HTMLParagraphElement;
  "learn-answer": HTMLParagraphElement;
  "learn-show": HTMLButtonElement;
  "learn-pass": HTMLButtonElement;
  "learn-play": HTMLButtonElement;
  "learn-next": HTMLButtonElement;
  "learn-players": HTMLUListElement;
  "learn-progress": HTMLParagraphElement;
  "learn-list": HTMLDivElement;

  "puzzle-title": HTMLHeadingElement;
  "puzzle-level": HTMLParagraphElement;
  "puzzle-text": HTMLParagraphElement;
  "puzzle-themes": HTMLParagraphElement;
  "puzzles-players": HTMLUListElement;
  "puzzle-steps": HTMLDivElement;
  "puzzle-back": HTMLButtonElement;
  "puzzle-forward": HTMLButtonElement;
  "puzzle-retry": HTMLButtonElement;
  "puzzle-hint": HTMLButtonElement;
  "puzzle-answer": HTMLButtonElement;
  "puzzle-next": HTMLButtonElement;
  "puzzle-facts": HTMLParagraphElement;
  "puzzle-filter": HTMLFormElement;
  "puzzle-daily": HTMLButtonElement;

  "no-tournaments": HTMLParagraphElement;
  tournament: HTMLDivElement;
  tournaments: HTMLSelectElement;
  watched: HTMLParagraphElement;
  "watch-players": HTMLUListElement;
  standings: HTMLDivElement;
  "watch-count": HTMLParagraphElement;
  "watch-table": HTMLTableSectionElement;
  "watch-forfeits": HTMLParagraphElement;
  "watch-by-round": HTMLDivElement;
  "watch-rounds": HTMLUListElement;
  "watch-recent": HTMLOListElement;

  "new-dialog": HTMLDialogElement;
  "new-form": HTMLFormElement & { readonly elements: NewGameControls };
  "new-games": HTMLFieldSetElement;
  "new-settings": HTMLDivElement;
  "new-more": HTMLDetailsElement;
  "new-advanced": HTMLDivElement;

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
  "games-game": HTMLSelectElement;
  "games-source": HTMLSelectElement;
  "games-more": HTMLButtonElement;
  "games-count": HTMLParagraphElement;
  "games-list": HTMLOListElement;

  "look-form": HTMLFormElement & { readonly elements: LookControls };

  "ask-dialog": HTMLDialogElement;
  "ask-title": HTMLHeadingElement;
  "ask-yes": HTMLButtonElement;

  "help-dialog": HTMLDialogElement;
  "help-rules": HTMLDivElement;
  "help-moves": HTMLPreElement;
}

/** The controls of the form for a new game, by name. */
interface NewGameControls extends HTMLFormControlsCollection {
  game: RadioNodeList;
  player1: HTMLSelectElement;
  player2: HTMLSelectElement;
  time: HTMLSelectElement;
  position: HTMLInputElement;
}

/** The controls of the form for an invitation, by name. */
interface InviteControls extends HTMLFormControlsCollection {
  game: RadioNodeList;
  time: HTMLSelectElement;
  seat: HTMLSelectElement;
  name: HTMLInputElement;
  watchers: HTMLInputElement;
}

/** The controls of the form for a name. */
interface NameControls extends HTMLFormControlsCollection {
  name: HTMLInputElement;
}

/** The controls of the page's look, by name. */
interface LookControls extends HTMLFormControlsCollection {
  theme: RadioNodeList;
  board: RadioNodeList;
}

/** The controls of the form for a comment, by name. */
interface NoteControls extends HTMLFormControlsCollection {
  mark: HTMLSelectElement;
  comment: HTMLInputElement;
}

/** Attributes of a new element; a function under "onclick" listens to "click". */
export type Attributes = Record<
  string,
  string | number | boolean | null | undefined | ((event: Event) => void)
>;

/** What the browser stores, by name. */
export interface Stored {
  /** The session of a browser that knew one only. */
  session: string | null;
  /** The sessions of all tabs, latest first. */
  sessions: string[];
  theme: Theme;
  /** The person's name in invited games. */
  name: string;
  /** The seats of this browser in invited games, by game. */
  seats: Record<string, StoredSeat>;
  board: BoardTheme;
  /** Whether sounds are on. */
  sound: boolean;
  /** The settings of the latest new game. */
  new: Partial<ClientMessages["new_game"]>;
  /** The solver's progress, as the server writes it. */
  "puzzle-progress": string;
  /** Number of the puzzle that was shown last; 0 before the first. */
  "puzzle-at": number;
  "puzzle-filter": PuzzleChoice;
  /** The number of steps done, by the key of a lesson. */
  lessons: Record<string, number>;
  /** Whether the line for a first visit was dismissed. */
  visited: boolean;
}

/** A seat in an invited game. */
export interface StoredSeat {
  key: string;
  /** The key of the other player, in the browser that has invited them. */
  other_key?: string;
  /** The title of the game. */
  title?: string;
  /** When the seat was taken, in milliseconds since 1970. */
  when: number;
}

/** The values of the form that chooses puzzles; empty for all. */
export interface PuzzleChoice {
  game: string;
  board: string;
  theme: string;
  level: string;
}

export interface Point {
  x: number;
  y: number;
}

/** Of a wall: horizontal or vertical. */
export type Orientation = "h" | "v";

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
  /** Mark the shortest paths, if the board has any. */
  paths: boolean;
}

/**
 * Geometry and drawing of one kind of board. A place is a cell or a wall in notation. A renderer is
 * only given boards that fit it, so its methods may declare the board type of its kind.
 */
export interface BoardRenderer {
  /** Whether the board is rotated by 180 degrees. */
  flipped: boolean;
  readonly width: number;
  readonly height: number;
  /** Whether a board has the kind and size that this renderer draws. */
  fits(board: BoardState): boolean;
  /** Whether a text names a place on the board. */
  contains(place: string): boolean;
  center(place: string): Point;
  /** The place at a point; touch input is coarse. */
  placeAt(
    x: number,
    y: number,
    isLegal: (place: string) => boolean,
    coarse: boolean,
  ): string | null;
  isWall(place: string): boolean;
  /** Whether the board has walls. */
  readonly hasWalls: boolean;
  /** The wall of an orientation that is nearest to a point; null beside the board. */
  wallAt(x: number, y: number, orientation: Orientation): string | null;
  /** Whether a finger at a point is on a wall. */
  isOnWall(place: string, x: number, y: number): boolean;

  drawBackground(): SVGElement;
  /** Draws the last move, targets and paths below the pieces; the places are those of moves. */
  drawHighlights(board: BoardState, places: string[], options: HighlightOptions): SVGElement;
  /** Draws a place for previews, hints, lines and policies. */
  drawMarker(place: string, className: string): SVGElement;
  drawCursor(place: string): SVGElement;
  /** The pieces by a name that stays the same while a piece moves. */
  pieces(board: BoardState): Map<string, Piece>;

  // The keyboard cursor.
  cursorStart(board: BoardState): string;
  /** Moves the cursor by columns to the right and rows down, as seen on the screen. */
  step(place: string, right: number, down: number): string;
  /** Switches between a cell and a wall next to it. */
  toggleWall(place: string): string;
  rotateWall(place: string): string;

  // Texts for screen readers.
  describe(place: string, board: BoardState, isLegal: boolean): string;
  summary(board: BoardState): string;
}

export interface BoardActions {
  play(move: string): void;
  /** Asks why a move is illegal. */
  findReason(move: string): Promise<string | null>;
  /** Starts a typed move with its first character. */
  startTyping(character: string): void;
}

export interface InviteActions {
  send: Send;
  /** Goes to an invited game. */
  join(game: string): void;
  /** Opens the game of a share link as one's own. */
  openLink(link: string): void;
}

export interface MoveListActions {
  send: Send;
  /** Shows a position of the game's tree. */
  showNode(node: number): void;
  /** Plays on from a position. */
  playOn(node: number): void;
}

export interface AnalysisActions {
  send: Send;
  showPly(ply: number): void;
  showLine(line: LineMove[] | null): void;
  showPolicy(moves: PolicyMoves | null): void;
  showPaths(on: boolean): void;
  markMistakes(mistakes: Mistake[]): void;
  /** Shows a report; null removes it. */
  showReport(report: GameReport | null): void;
}

export interface ReviewActions {
  send: Send;
  /** The name of a player of the game. */
  nameOf(player: Player): string;
  /** Shows a position of the game's tree. */
  showNode(node: number): void;
  /** Shows a position that is not part of the game; null shows the game again. */
  showPreview(position: View | null, status?: string): void;
  /** Draws a move and a better one on the board. */
  compareMoves(moves: ComparedMoves | null): void;
}

/** Moves to compare on the board. */
export interface ComparedMoves {
  worse: LineMove | null;
  better: LineMove | null;
}

export interface ExplorerActions {
  send: Send;
  /** Shows a move on the board; null removes it. */
  showMove(move: LineMove | null): void;
}

export interface EndCardActions {
  send: Send;
  /** Analyses the game. */
  requestReport(): void;
  /** Shows the first mistake. */
  review(): void;
}

export interface LearnActions {
  send: Send;
  showPosition: ShowPosition;
  /** Shows shortest paths or not; null restores what the person chose. */
  showPaths(on: boolean | null): void;
  setHint(move: string | null): void;
  startGame(fields: ClientMessages["new_game"]): void;
}

/** Shows a position that is not part of the current game; the key identifies its game. */
export type ShowPosition = (position: Position, key: string, flipped?: boolean) => void;

/** What a puzzle does to the page. */
export interface PuzzleActions {
  showPosition: ShowPosition;
  /** Marks a move on the board. */
  setHint: (move: string | null) => void;
}
