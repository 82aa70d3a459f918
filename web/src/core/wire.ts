// The wire: what the server sends and takes, in the names it uses. `npm run types` writes what it stands on.
import type { components } from "./openapi.gen";
import type { components as sockets } from "./sockets.gen";

type Schemas = components["schemas"];
type Messages = sockets["schemas"];

/** `GET /api/config` */
export type Config = Schemas["Config"];
export type FirebaseConfig = Schemas["FirebaseConfig"];
/** `GET /api/lobby` */
export type Lobby = Schemas["Lobby"];

/** `GET /api/users/me`: the counts and the rating are Connect 4's. */
export type User = Schemas["Me"];
/** `POST /api/auth/guest` */
export type GuestSignIn = Schemas["Welcome"];
/** `POST /api/users/me/recovery`, `POST /api/auth/recover` */
export type RecoveryCode = Schemas["RecoveryCode"];
/** `GET /api/users/search` */
export type Person = Schemas["Person"];
/** `GET /api/notifications` */
export type NotificationPage = Schemas["NotificationPage"];
export type Notification = Schemas["Notification"];

export type Game = Schemas["Game"];
export type Player = Schemas["GamePlayer"];
export type Move = Schemas["GameMove"];
export type PlayerNumber = Game["currentTurn"];
/** `POST /api/games` */
export type Created = Schemas["Created"];
/** `POST /api/games/join/{code}` */
export type Joined = Schemas["Joined"];
/** `POST /api/games/{id}/move` */
export type MoveAnswer = Schemas["MoveAnswer"];
/** `POST /api/games/{id}/claim-abandoned` */
export type ClaimAnswer = Schemas["ClaimAnswer"];
export type ResignAnswer = Schemas["ResignAnswer"];
/** `POST /api/games/{id}/rematch` */
export type RematchAnswer = Schemas["RematchRequested"] | Schemas["RematchAccepted"];
/** `POST /api/matchmaking/join`, `GET /api/matchmaking/status` */
export type BusyError = Schemas["BusyError"];
export type Queue = Schemas["Queued"] | Schemas["Matched"] | Schemas["NotQueued"];
/** `GET /api/users/me/active-game` */
export type ActiveGame = Schemas["ActiveGame"];
/** `GET /api/users/me/games` */
export type GamePage = Schemas["GamePage"];

interface Event<Type extends string, Payload> {
  type: Type;
  payload: Payload;
  timestamp: string;
}

/** What the socket `/ws/connect4/{publicId}` sends. Its rows are counted from the bottom. */
export type Connect4Event =
  | Event<"game" | "game_started", Game>
  | Event<"move_made", Messages["Connect4MoveMade"]>
  | Event<"turn_changed", Messages["Connect4TurnChanged"]>
  | Event<"game_ended", Messages["Connect4GameEnded"]>
  | Event<"rematch_requested", Messages["Connect4RematchOffer"]>
  | Event<"rematch_withdrawn", Messages["Connect4Withdrawn"]>
  | Event<"rematch_accepted", Messages["Connect4NextGame"]>
  | Event<"opponent_away" | "opponent_back", Messages["Connect4Coming"]>
  | Event<"pong", Record<string, never>>
  | Event<"error", Messages["Connect4LiveError"]>;

/** What is said to and heard from Memory's socket `/ws`. */
export type MemorySaid = Messages["MemorySaid"];
export type MemoryHeard = Messages["MemoryHeard"];
/** `GET /api/leaderboard` */
export type Leaderboard = Schemas["Leaderboard"];
export type LeaderboardEntry = Leaderboard["entries"][number];
/** `GET /api/history` */
export type PlayedRecord = Schemas["HistoryEntry"];

/** One of the two sides of a table. */
export type Seat = 0 | 1;

/** What may be left out is what has a default there. */
type Saying<Message> = Message extends { type: unknown }
  ? Pick<Message, "type"> & Partial<Omit<Message, "type">>
  : never;
/** What is said to the host's socket `/ws/play`. */
export type PlaySaid = Saying<Messages["PlaySaid"]>;

export type PlayResult = Omit<Messages["PlayResult"], "winner"> & { winner: Seat | null };
interface Seated {
  turn: Seat | null;
  result: PlayResult | null;
}
export type PlayTable = Omit<
  Messages["PlayTable"],
  keyof Seated | "seat" | "seats" | "rematch_by"
> &
  Seated & { seat: Seat | null; seats: Seat[]; rematch_by: Seat | null };
export type PlayStep = Omit<Messages["PlayStepped"], keyof Seated | "by"> &
  Seated & { by: Seat | null };
export type PlayPlayer = Messages["PlayPlayerShown"];
export type PlayHint = Messages["PlayHintGiven"];
export type PlayInvitation = Messages["PlayInvitation"];
/** What is heard there. */
export type PlayHeard =
  | Exclude<Messages["PlayHeard"], { type: "table" | "step" | "rematch" }>
  | PlayTable
  | PlayStep
  | (Omit<Messages["PlayRematchOffer"], "by"> & { by: Seat | null });

/** `GET /api/matches/{id}/analysis` */
export type Analysis = Schemas["Analysis"];
export type Judged = Schemas["Judged"];
export type Progress = Schemas["Progress"];
/** `GET /api/matches/{id}/positions` */
export type PositionSeen = Omit<Schemas["PositionSeen"], "turn"> & { turn: Seat | null };
/** `GET /api/play/games` */
export type PlayedHere = Schemas["PlayedHere"];
/** Who the computer can be. */
export type Opponent = PlayedHere["opponents"][number];
/** `GET /api/play/waiting/{game}/{name}` */
export type WaitingTable = Schemas["WaitingTable"];
/** `GET /api/play/tables` */
export type OpenTable = Schemas["OpenTable"];
