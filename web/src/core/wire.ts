// The wire: what the server sends and takes, in the names it uses.

export interface FirebaseConfig {
  apiKey: string;
  authDomain: string;
  projectId: string;
}

/** `GET /api/config` */
export interface Config {
  /** Null: no Google sign-in on this server. */
  firebase: FirebaseConfig | null;
  guests: boolean;
  /** Keys of the games this server plays. */
  games: string[];
  abandonThresholdSec: number;
}

/** `GET /api/lobby` */
export interface Lobby {
  /** By game key: people in a game that is being played right now. */
  playing: Record<string, number>;
}

/** `GET /api/users/me`: the counts and the rating are Connect 4's. */
export interface User {
  id: string;
  username: string;
  isGuest: boolean;
  email: string | null;
  rating: number;
  wins: number;
  losses: number;
  draws: number;
}

/** `POST /api/auth/guest` */
export interface GuestSignIn {
  token: string;
  user: User;
}

export interface Player {
  id: string;
  username: string;
  rating: number;
}

export type GameStatus = "WAITING" | "ACTIVE" | "COMPLETED" | "ABANDONED";
export type GameResult = "P1_WIN" | "P2_WIN" | "DRAW";
export type EndReason = "CONNECT4" | "BOARD_FULL" | "ABANDONED";
export type PlayerNumber = 1 | 2;

export interface Move {
  moveNumber: number;
  column: number;
  /** 0 is the top row. */
  row: number;
  player: PlayerNumber;
  userId: string;
  ts: string;
}

export interface Game {
  id: string;
  publicId: string;
  code: string | null;
  player1Id: string;
  player2Id: string | null;
  player1: Player;
  player2: Player | null;
  /** 42 characters, top row first: `0` empty, `1` and `2` the players' chips. */
  board: string;
  currentTurn: PlayerNumber;
  status: GameStatus;
  moves: Move[];
  result: GameResult | null;
  endedReason: EndReason | null;
  winnerId: string | null;
  p1RatingBefore: number | null;
  p2RatingBefore: number | null;
  p1RatingDelta: number | null;
  p2RatingDelta: number | null;
  ratingAppliedAt: string | null;
  rematchRequestedBy: PlayerNumber | null;
  rematchGameId: string | null;
  rematchPublicId: string | null;
  player1LastSeen: string | null;
  player2LastSeen: string | null;
  createdAt: string;
  updatedAt: string;
  completedAt: string | null;
  /** Where the one to move may drop a chip. */
  legalColumns: number[];
  /** [row, column] of every chip in a line of four, row 0 at the top; empty until somebody won. */
  winningCells: [number, number][];
}

/** `POST /api/games/{id}/move` */
export interface MoveAnswer {
  status: "move_applied" | "game_ended";
  reason?: "CONNECT4" | "BOARD_FULL";
  game: Game;
  move: Move;
}

/** `POST /api/games/{id}/claim-abandoned` */
export interface ClaimAnswer {
  game: Game;
}

/** `POST /api/games/{id}/rematch` */
export type RematchAnswer =
  | { status: "requested" }
  | { status: "accepted"; newGameId: string; newPublicId: string };

/** `POST /api/games` */
export interface Created {
  success: true;
  gameId: string;
  publicId: string;
  code: string;
  game: Game;
}

/** `POST /api/games/join/{code}` */
export interface Joined {
  success: true;
  gameId: string;
  publicId: string;
  game: Game;
}

/** `POST /api/matchmaking/join`, `GET /api/matchmaking/status` */
export type Queue =
  | { status: "queued"; queuedAt?: string }
  | { status: "matched"; gameId: string; publicId: string }
  | { status: "not_queued" };

/** `GET /api/users/me/active-game` */
export interface ActiveGame {
  activeGame: Game | null;
}

/** `GET /api/users/me/games` */
export interface GamePage {
  games: Game[];
  total: number;
  limit: number;
  offset: number;
}

interface Event<Type extends string, Payload> {
  type: Type;
  payload: Payload;
  timestamp: string;
}

/** What the socket `/ws/connect4/{publicId}` sends. */
export type Connect4Event =
  | Event<"game", Game>
  | Event<"game_started", Game>
  | Event<
      "move_made",
      {
        gameId: string;
        player: PlayerNumber;
        column: number;
        /** 0 is the bottom row. */
        row: number;
        board: { cells: ("" | "red" | "yellow")[][]; height: number[] };
        nextTurn: PlayerNumber | null;
        moveCount: number;
      }
    >
  | Event<"turn_changed", { currentTurn: PlayerNumber; legalColumns?: number[] }>
  | Event<"game_ended", { winner: PlayerNumber | null; reason: EndReason; game: Game }>
  | Event<"rematch_requested", { player: PlayerNumber }>
  | Event<"rematch_accepted", { newGameId: string; newPublicId: string }>
  | Event<"opponent_away", { player: PlayerNumber; lastSeen?: string }>
  | Event<"opponent_back", { player: PlayerNumber }>
  | Event<"error", { code: string; message: string }>;

/** A page of the lists that are shaped as Django REST framework shapes them. */
export interface Page<T> {
  count: number;
  next: string | null;
  previous: string | null;
  results: T[];
}

export interface Notification {
  id: string;
  notification_type: string;
  payload: Record<string, unknown>;
  is_read: boolean;
  created_date: string;
}
