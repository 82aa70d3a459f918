// The wire: what the server sends and takes, in the names it uses. `npm run types` writes what it stands on.
import type { components } from "./openapi.gen";

type Schemas = components["schemas"];

/** `GET /api/config` */
export type Config = Schemas["Config"];
export type FirebaseConfig = Schemas["FirebaseConfig"];
/** `GET /api/lobby` */
export type Lobby = Schemas["Lobby"];

/** `GET /api/users/me`: the counts and the rating are Connect 4's. */
export type User = Schemas["Me"];
/** `POST /api/auth/guest` */
export type GuestSignIn = Schemas["Welcome"];
/** `GET /api/notifications` */
export type NotificationPage = Schemas["NotificationPage"];
export type Notification = Schemas["Notification"];

export type Game = Schemas["Game"];
export type Player = Schemas["GamePlayer"];
export type Move = Schemas["GameMove"];
export type PlayerNumber = Game["currentTurn"];
export type EndReason = NonNullable<Game["endedReason"]>;
/** `POST /api/games` */
export type Created = Schemas["Created"];
/** `POST /api/games/join/{code}` */
export type Joined = Schemas["Joined"];
/** `POST /api/games/{id}/move` */
export type MoveAnswer = Schemas["MoveAnswer"];
/** `POST /api/games/{id}/claim-abandoned` */
export type ClaimAnswer = Schemas["ClaimAnswer"];
/** `POST /api/games/{id}/rematch` */
export type RematchAnswer = Schemas["RematchRequested"] | Schemas["RematchAccepted"];
/** `POST /api/matchmaking/join`, `GET /api/matchmaking/status` */
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
  | Event<"turn_changed", { currentTurn: PlayerNumber; legalColumns: number[] }>
  | Event<"game_ended", { winner: PlayerNumber | null; reason: EndReason | null; game: Game }>
  | Event<"rematch_requested", { player: PlayerNumber }>
  | Event<"rematch_accepted", { newGameId: string; newPublicId: string }>
  | Event<"opponent_away", { player: PlayerNumber }>
  | Event<"opponent_back", { player: PlayerNumber }>
  | Event<"error", { code: string; message: string }>;
