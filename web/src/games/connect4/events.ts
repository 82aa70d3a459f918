// What the live socket says, applied to the game the page holds. A gap means: fetch it again.
import type { Connect4Event, Game, PlayerNumber } from "@/core/wire";
import { ROWS } from "./sides";

export interface Heard {
  game: Game;
  /** The event alone does not tell enough. */
  refetch: boolean;
}

const marks = { "": "0", red: "1", yellow: "2" } as const;

/** The wire of the socket counts rows from the bottom, the game object from the top. */
function boardFrom(cells: readonly (readonly ("" | "red" | "yellow")[])[]): string {
  return [...cells]
    .reverse()
    .map((row) => row.map((cell) => marks[cell]).join(""))
    .join("");
}

const columnsWithRoom = (height: readonly number[]): number[] =>
  height.flatMap((chips, column) => (chips < ROWS ? [column] : []));

const userAt = (game: Game, player: PlayerNumber): string =>
  (player === 1 ? game.player1Id : game.player2Id) ?? "";

export function heard(game: Game, event: Connect4Event): Heard {
  const same = { game, refetch: false };
  switch (event.type) {
    case "game":
    case "game_started":
      return { game: newer(game, event.payload), refetch: false };
    case "game_ended":
      return { game: newer(game, event.payload.game), refetch: false };
    case "move_made": {
      const { player, column, row, board, nextTurn, moveCount } = event.payload;
      if (moveCount <= game.moves.length) return same;
      if (moveCount !== game.moves.length + 1) return { game, refetch: true };
      const move = {
        moveNumber: moveCount,
        column,
        row: ROWS - 1 - row,
        player,
        userId: userAt(game, player),
        ts: event.timestamp,
      };
      return {
        game: {
          ...game,
          board: boardFrom(board.cells),
          moves: [...game.moves, move],
          currentTurn: nextTurn ?? game.currentTurn,
          // `turn_changed` follows; until then whoever is next must find the columns with room.
          legalColumns: nextTurn === null ? [] : columnsWithRoom(board.height),
        },
        refetch: false,
      };
    }
    case "turn_changed":
      return { game: { ...game, ...event.payload }, refetch: false };
    case "rematch_requested":
      return { game: { ...game, rematchRequestedBy: event.payload.player }, refetch: false };
    case "rematch_withdrawn":
      return { game: { ...game, rematchRequestedBy: null }, refetch: false };
    case "rematch_accepted": {
      const { newGameId, newPublicId } = event.payload;
      return {
        game: { ...game, rematchGameId: newGameId, rematchPublicId: newPublicId },
        refetch: false,
      };
    }
    case "opponent_away":
    case "opponent_back": {
      // Until now they were here, as far as anybody told; since when they are not, the server knows.
      const seen = event.payload.player === 1 ? "player1LastSeen" : "player2LastSeen";
      const refetch = event.type === "opponent_away" && game.status === "ACTIVE";
      return { game: { ...game, [seen]: event.timestamp }, refetch };
    }
    default:
      return same;
  }
}

const stages = { WAITING: 0, ACTIVE: 1, COMPLETED: 2, ABANDONED: 2 };

/** An answer that was overtaken on its way must not take a move back. */
export function newer(held: Game | undefined, come: Game): Game {
  if (!held || held.id !== come.id) return come;
  if (come.moves.length !== held.moves.length) {
    return come.moves.length > held.moves.length ? come : held;
  }
  return stages[come.status] >= stages[held.status] ? come : held;
}
