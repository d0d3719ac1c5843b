// The messages that the page and the server exchange over the WebSocket, as JSON.
//
// `messages.py` parses what the page sends; `payloads.py` and the modules beside it build what the
// server sends. tests/web/test_page_types.py compares these types with both.

export type Player = 1 | 2;

/** One value per player; player 1's comes first. */
export type Pair<T> = [T, T];

// Boards and positions. Moves and cells are in notation: "e3h", "f5", "pass".

/** Pawns on cells, and walls between them. */
export interface QuoridorBoard {
  kind: "quoridor";
  size: number;
  pawns: Pair<string>;
  walls: string[];
  last: string | null;
  /** Where the pawn came from, if the last move was a pawn move. */
  from: string | null;
  /** The cells of each player's shortest path. */
  paths: Pair<string[]>;
  /** The length of each player's shortest path. */
  steps: Pair<number>;
  /** Walls that each player has left. */
  left: Pair<number>;
  /** Walls that each player started with. */
  hand: number;
}

/** Discs on squares; a1 is at the top left. */
export interface GridBoard {
  kind: "grid";
  rows: number;
  columns: number;
  /** One character per square, from a1 row by row: "1", "2" or "." for an empty square. */
  discs: string;
  last: string | null;
}

export type BoardState = QuoridorBoard | GridBoard;

/** A position of a game, ready to be drawn. */
export interface View {
  /** The game's name in `Welcome`. */
  game: string;
  board: BoardState;
  /** Number of moves on the board. */
  ply: number;
  /** Every move of the game, including those after `ply`. */
  moves: string[];
  /** The player who made the first move. */
  first: Player;
  /** The player to move; null once the game is over. */
  to_move: Player | null;
  names: Pair<string>;
  /** Texts about each player, such as "9 walls". */
  facts: Pair<string[]>;
}

/** A position with its legal moves. */
export interface Position extends View {
  /** Its number in the game's tree; the start is 0. */
  node: number;
  /** Legal moves; empty once the game is over. */
  legal: string[];
  /** The cells of legal moves that are not named after their cell. */
  spots: Record<string, string>;
  /** Whether a person may move in this position. */
  can_play: boolean;
}

export interface Outcome {
  winner: Player | null;
  reason: string;
  text: string;
}

/** A move of the game's tree. */
export interface TreeMove {
  /** The position after it. */
  node: number;
  /** The position before it. */
  parent: number;
  move: string;
  comment?: string;
  /** Numeric annotation glyphs of PGN: 1 is "!", 2 is "?". */
  marks?: number[];
}

/** The game of the session at its current position. */
export interface Game extends Position {
  /** Counts the games of the session. */
  number: number;
  /** All moves. The first move after a position continues the main line, others are variations. */
  tree: TreeMove[];
  /** The position at the end of the main line. */
  main_end: number;
  /** Number of deleted variations that can be restored. */
  deleted: number;
  /** Number of moves that redo could play again. */
  undone: number;
  outcome: Outcome | null;
  /** Whether a person is to move. */
  asked: boolean;
  /** Seconds left; null without a clock. */
  clocks: Pair<number | null>;
  /** The player whose clock runs; null while the clocks wait for the first move. */
  running: Player | null;
  /** The time control, such as "180+2". */
  control: string | null;
  /** Whether each player is a person. */
  people: Pair<boolean>;
  settings: Record<string, string>;
  /** A sentence that says how to win. */
  task: string;
  /** Moves that a player could type. */
  example: string;
  /** Whether a trained network knows this board. */
  network: boolean;
  /** What concerns the two people of an invited game. */
  shared?: SharedState;
}

export type OfferKind = "draw" | "take_back" | "rematch";

export interface Offer {
  kind: OfferKind;
  player: Player;
}

/** An invited game as one of its pages sees it. */
export interface SharedState {
  /** The player of this page; null for a watcher. */
  you: Player | null;
  /** Whether only the players may see the game. */
  private: boolean;
  /** Whether each player has been here. */
  joined: Pair<boolean>;
  /** Whether each player is here now. */
  present: Pair<boolean>;
  /** The offer that waits for an answer. */
  offer: Offer | null;
  /** What this page's player may offer now. */
  offers: OfferKind[];
  /** Seconds until this page's player may claim the game; null unless the opponent is away. */
  claim_in_s: number | null;
}

// Analysis.

export interface LineMove {
  move: string;
  player: Player;
  /** The cell of a move that is not named after its cell. */
  at?: string;
  /** Where the player's pawn stands before the move (Quoridor only). */
  from?: string;
}

export interface Line {
  /** Player 1's chance of winning, from 0 to 1. */
  chance: number;
  /** The engine's own score for the player to move, such as "+1.5 steps" or "wins in 7". */
  score: string;
  is_proven: boolean;
  /** The final score with best play for the player to move, if it is known; otherwise null. */
  exact: number | null;
  depth: number;
  moves: LineMove[];
}

export interface PositionAnalysis {
  node: number;
  /** Whether the search has finished. */
  done: boolean;
  /** Best line first; empty once the game is over. */
  lines: Line[];
  /** Player 1's chance of winning; missing once the game is over. */
  chance?: number;
}

/** The network's probability for each move, from 0 to 1. */
export type PolicyMoves = Record<string, number>;

/** From the adviser's own choice to the worst. */
export type MoveClass = "best" | "equal" | "good" | "inaccuracy" | "mistake" | "blunder";

/** A fact about a move; `remarks.js` puts it into a sentence. */
export interface Remark {
  kind: string;
  /** Numbers and moves of the sentence. */
  values: Record<string, number | string>;
}

/** What the adviser thinks of a move. */
export interface Judgement {
  player: Player;
  move: string;
  class: MoveClass;
  /** The player's chance of winning before and after the move. */
  before: number;
  after: number;
  /** Where the move is drawn. */
  played: LineMove;
  /** The line that the adviser prefers. */
  line: LineMove[];
  /** The adviser's own score of that line, such as "+1.5 steps". */
  score: string;
  /** Whether that score is exact. */
  is_exact: boolean;
  /** Why the move is worse. */
  remarks: Remark[];
}

export interface Mistake extends Judgement {
  /** Counted from 1: the position after the move. */
  ply: number;
  mark: "?" | "??";
}

export interface ReportProgress {
  /** Positions analysed. */
  done: number;
  /** Positions in total. */
  of: number;
}

export interface GameReport {
  /** Player 1's chance of winning in every position. */
  chances: number[];
  moves: string[];
  /** The first ply from which on every position was solved; null if there is none. */
  exact_from: number | null;
  mistakes: Mistake[];
  /** Number of moves of each class. */
  counts: Pair<Record<MoveClass, number>>;
  /** Plies of the worst mistakes. */
  turning: number[];
  /** From 0 to 1; null for a player without moves. */
  accuracy: Pair<number | null>;
}

/** A move that was played in a position. */
export interface BookMove {
  step: LineMove;
  /** Games and openings with it. */
  games: number;
  /** Wins of player 1, draws, and wins of player 2, as far as results are known. */
  results: [number, number, number];
  /** The score for the player to move in the game's book of scored openings, such as "+0.3". */
  score: string | null;
  /** The adviser's chance of the player to move, if it is cached. */
  chance: number | null;
}

// Saved games, puzzles and tournaments.

export interface SavedGame {
  id: string;
  source: string;
  game: string;
  player1: string;
  player2: string;
  result: string;
  reason: string;
  plies: number;
  when: string;
  can_delete: boolean;
}

/** What a page may choose puzzles by. */
export interface PuzzlesInfo {
  count: number;
  levels: string[];
  /** By the game's name. */
  games: Record<string, { boards: number[]; themes: string[] }>;
}

/** What a solver has achieved. */
export interface PuzzleSummary {
  rating: number;
  deviation: number;
  streak: number;
  best: number;
  /** Number of solved puzzles. */
  solved: number;
  daily_solved: boolean;
}

export interface PuzzleSolution {
  number: number;
  verdict: "right" | "solved" | "wrong" | "shown";
  /** The right moves so far, each followed by the defence, separated by spaces. */
  moves: string;
  /** The move and the defence, a wrong move and its refutation, or the rest of the solution. */
  line: string[];
  /** The winner at the end of the line. */
  winner: number | null;
  /** The position before and after every move of the line. */
  positions: ServerMessage<"position">[];
  /** Empty until the puzzle is over. */
  themes: string[];
}

/** A lesson in the list of all; the page finds its texts by its key. */
export interface LessonEntry {
  game: string;
  key: string;
  /** Number of steps. */
  steps: number;
}

export interface LessonStep {
  key: string;
  /** The forbidden move that a step asks to try is among the legal ones. */
  position: ServerMessage<"position">;
  /** A move that the step accepts. */
  answer: string;
  shows_paths: boolean;
  /** Why the other moves are illegal. */
  reasons: Record<string, string>;
}

export interface Lesson {
  number: number;
  game: string;
  steps: LessonStep[];
  /** The game at the end of the lesson, if there is one. */
  first_game: ClientMessages["new_game"] | null;
  /** The board of that game. */
  position: ServerMessage<"position"> | null;
}

export interface LessonResult {
  number: number;
  step: number;
  kind: "right" | "wrong" | "illegal";
  move: string;
  /** The numbers that the texts of the step mention. */
  numbers: Record<string, number>;
  /** Why the move is illegal. */
  reason: string | null;
  /** The position after the move, or the same one if the move is illegal. */
  position: ServerMessage<"position">;
}

export interface TournamentEntry {
  store: number;
  /** The store's file name. */
  name: string;
  tournament: number;
  game: string;
  games: number;
}

export interface AgentStanding {
  agent: string;
  /** What a program calls itself, or else the agent. */
  name: string;
  elo: number | null;
  elo_interval: Pair<number | null>;
  score: number | null;
  wins: number;
  draws: number;
  losses: number;
  /** Probability that the agent is stronger than the next one. */
  better_than_next: number | null;
  /** Games lost by forfeit, by kind. */
  forfeits: Record<string, number>;
  /** Whether its Elo includes games that it or an opponent lost by forfeit. */
  has_forfeits: boolean;
}

export interface FinishedGame {
  id: number;
  player1: string;
  player2: string;
  result: string;
  reason: string;
  plies: number;
}

export interface Standings {
  name: string;
  tournament: number;
  games: number;
  agents: AgentStanding[];
  /** The meetings of a Swiss or knockout tournament in words, by round. */
  rounds: string[];
  /** The latest games, newest first. */
  recent: FinishedGame[];
}

// From the server to the page.

export interface Setting {
  name: string;
  label: string;
  help: string;
  /** The usual value first; empty for a setting that is typed. */
  choices: string[];
  /** Its value if it is left empty: by "name=choice" of another setting, and under "" otherwise. */
  usual: Record<string, string>;
  /** Whether the form hides it until a person asks for it. */
  is_advanced: boolean;
}

export interface GameInfo {
  title: string;
  /** Settings of a new game. */
  settings: Setting[];
  /** Agents to choose from. */
  agents: string[];
  /** How moves are typed. */
  help: string;
  /** The rules: sections separated by empty lines, each a heading and paragraphs. */
  rules: string;
  /** The text of the start position. */
  position: string;
  /** Whether the board is rotated for a person who plays alone as player 2. */
  turns_board: boolean;
  /** Whether the board can show shortest paths. */
  has_paths: boolean;
}

export interface Welcome {
  /** The session's id, to be sent in the next `hello`; null in an invited game. */
  session: string | null;
  /** The id of the invited game that was joined. */
  invited: string | null;
  /** Addresses of the page that other machines can open. */
  addresses: string[];
  version: string;
  /** The agent name that stands for a person. */
  person: string;
  /** Every game by its name, the default first. */
  games: Record<string, GameInfo>;
  puzzles: PuzzlesInfo;
  /** All lessons in the order of their numbers, which begin with 1. */
  lessons: LessonEntry[];
  /** Number of tournament stores. */
  stores: number;
}

/** Fields of every message from the server, by message type. */
export interface ServerMessages {
  /** The answer to `hello`. */
  welcome: Welcome;
  /** Sent after every change of the game. */
  game: Game;
  /** Another position of the game. */
  position: Position;
  /** Progress of the agent that is thinking. */
  thinking: { player: Player; text: string };
  hint: { move: string; ply: number; node: number };
  /** Why a move is illegal; the reason of a legal move is null. */
  why: { move: string; ply: number; node: number; reason: string | null };
  /** Why a request was rejected; the key finds a translation. */
  refused: { text: string; key?: string };
  /** The answer to `invite`: the game's id, and the keys of the page's player and the other. */
  invited: { game: string; key: string; other_key: string };
  analysis: PositionAnalysis;
  policy: { node: number; moves: PolicyMoves };
  /** What was played; `others` counts the moves that are left out. */
  explorer: { node: number; moves: BookMove[]; others: number; is_counting: boolean };
  report: ReportProgress | GameReport;
  /** The answer to `try_move`. */
  tried: Judgement & { node: number };
  /** The positions of a line, beginning with the one at the node. */
  line: { node: number; line: string; positions: View[] };
  export: { record: string; position: string; link: string };
  /** The fields of `list_games`, the games found, and whether there are more. */
  games: {
    query: string;
    most: number;
    game: string;
    source: string;
    games: SavedGame[];
    more: boolean;
  };
  puzzle: Position & {
    number: number;
    level: string;
    rating: number;
    /** Rows and columns. */
    size: number;
    is_daily: boolean;
    is_solved: boolean;
    summary: PuzzleSummary;
  };
  solution: PuzzleSolution;
  lesson: Lesson;
  lesson_answer: LessonResult;
  puzzle_hint: { number: number; kind: string; move: string };
  puzzle_progress: {
    number: number;
    /** For the page to store and to send. */
    progress: string;
    /** Points of the rating. */
    gained: number;
    summary: PuzzleSummary;
  };
  tournaments: { tournaments: TournamentEntry[] };
  table: Standings;
  /** A position of the tournament's game, or of the show match, that is watched. */
  watched: View & { caption: string; result: string; is_show: boolean };
}

/** A message from the server: any, or one of the type T. */
export type ServerMessage<T extends keyof ServerMessages = keyof ServerMessages> = {
  [K in T]: { type: K } & ServerMessages[K];
}[T];

// From the page to the server.

type NoFields = Record<string, never>;

/**
 * Fields of every message from the page, by message type. A position is a node of the game's tree,
 * or else a ply of the line on the board.
 */
export interface ClientMessages {
  /**
   * Must come first. `session` resumes a session; `others` are those of the browser's tabs.
   * `invited` joins an invited game instead, for the player of the `key` or as a watcher.
   */
  hello: {
    session?: string | null;
    others?: string;
    invited?: string | null;
    key?: string | null;
  };
  /** The seat is the inviting player's, or 0 for either. */
  invite: {
    game: string;
    settings?: Record<string, string> | null;
    time?: string | null;
    position?: string | null;
    seat?: 0 | Player;
    name?: string;
    private?: boolean;
  };
  // These are for players of invited games.
  set_name: { name: string };
  make_offer: { kind: OfferKind };
  answer_offer: { accept: boolean };
  claim_game: NoFields;
  new_game: {
    game: string;
    player1: string;
    player2: string;
    settings?: Record<string, string> | null;
    time?: string | null;
    position?: string | null;
  };
  /** The same game with the sides swapped. */
  rematch: NoFields;
  /** At another position than the current one, a new move opens a variation. */
  play_move: { move: string; ply: number; node?: number | null };
  undo: NoFields;
  redo: NoFields;
  /** Play on from another position. */
  go_to: { ply: number; node?: number | null };
  promote: { node: number };
  delete_variation: { node: number };
  restore_variation: NoFields;
  /** The mark is from 1 to 6, or 0 for none; what is missing stays. */
  annotate: { node: number; comment?: string | null; mark?: number | null };
  resign: NoFields;
  take_seat: { player: Player; who: string };
  hint: NoFields;
  why: { move: string; ply: number; node?: number | null };
  show: { ply: number; node?: number | null };
  analyse: { on: boolean; ply?: number; node?: number | null };
  report: { on: boolean };
  /** Asks how good a move is; the game does not change. */
  try_move: { move: string; ply: number; node?: number | null };
  /** Asks for the positions of a line of moves, separated by spaces. */
  show_line: { line: string; ply: number; node?: number | null };
  explore: { ply: number; node?: number | null };
  policy: { ply: number; node?: number | null };
  paste: { text: string };
  open_link: { link: string };
  export: NoFields;
  list_games: { query?: string; most?: number; game?: string; source?: string };
  open_game: { id: string };
  /** Deletes a game that this session has played. */
  delete_game: { id: string };
  /** Without fields, asks for the list of tournaments. `show` is the game of a show match. */
  watch: { store?: number | null; tournament?: number | null; show?: string | null };
  unwatch: NoFields;
  /** The number 0 is the puzzle of the day. */
  get_puzzle: { number: number; progress?: string };
  next_puzzle: {
    progress?: string;
    without?: number;
    game?: string | null;
    board?: number | null;
    theme?: string | null;
    level?: string | null;
  };
  /** Without a move, the player gives up. */
  solve_puzzle: { number: number; move: string | null; moves?: string };
  hint_puzzle: { number: number; moves?: string };
  record_puzzle: { number: number; is_solved: boolean; used_hint: boolean; progress?: string };
  get_lesson: { number: number };
  /** Steps are numbered from 0. */
  answer_lesson: { number: number; step: number; move: string };
}

/** The arguments of `send` after the type; left out for messages without required fields. */
export type FieldArguments<T extends keyof ClientMessages> = NoFields extends ClientMessages[T]
  ? [fields?: ClientMessages[T]]
  : [fields: ClientMessages[T]];

/** Sends a message; false while there is no connection. */
export type Send = <T extends keyof ClientMessages>(
  type: T,
  ...fields: FieldArguments<T>
) => boolean;
