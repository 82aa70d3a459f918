// A game of Connect 4 as the table's parts see it.
import type { Game, PlayerNumber } from "@/core/wire";
import { resultTitle } from "@/table/ending";
import type { Ended, MoveTime, Person, TableModel } from "@/table/model";
import type { View } from "./board";
import { isOver, otherPlayer, playerAt, ratingChange, seatAt, sideOf, winnerOf } from "./sides";
import type { Actions } from "./use-actions";
import type { HeldGame } from "./use-game";

type Held = Pick<HeldGame, "seat" | "opponent">;

export function asTable(game: Game, held: Held, actions: Actions): TableModel<View, number> {
  const { seat, opponent } = held;
  const over = isOver(game);
  const last = game.moves.at(-1) ?? null;
  return {
    id: game.id,
    players: [personAt(game, 1, held), personAt(game, 2, held)],
    seats: seat === null ? [] : [seatAt(seat)],
    turn: over ? null : seatAt(game.currentTurn),
    time: timeOf(game),
    view: {
      board: game.board,
      lastMove: last,
      winning: game.winningCells.map(([row, column]) => ({ row, column })),
    },
    legal: !over && seat === game.currentTurn ? game.legalColumns : [],
    chosen: actions.held,
    told: last && {
      key: game.moves.length,
      words: `${last.player === seat ? "You" : nameAt(game, last.player)}, ${sideOf(last.player)}, column ${last.column + 1}.`,
      by: seatAt(last.player),
    },
    task: null,
    ended: over ? endedOf(game, seat) : null,
    next: {
      kind: "rematch",
      by: game.rematchRequestedBy === null ? [] : [seatAt(game.rematchRequestedBy)],
      href: game.rematchPublicId === null ? null : `/game/${game.rematchPublicId}`,
      ask: seat === null || actions.asking ? null : actions.rematch,
      withdraw: actions.withdraw,
      gone: over && !opponent.stayed,
    },
    others:
      seat === null ? [] : [{ kind: "anyone", label: "New opponent", begin: actions.playAnyone }],
    act: actions.drop,
    resign: seat === null || over ? null : actions.resign,
    claim:
      seat !== null && opponent.claimable
        ? { label: "Opponent Disconnected - Claim Win", take: actions.claim }
        : null,
  };
}

const SHOWN_FOR_MS = 30_000;

function timeOf({ moveEndsAt, moveTimeMs }: Game): MoveTime | null {
  if (moveEndsAt === undefined || moveTimeMs === undefined) return null;
  return { endsAt: Date.parse(moveEndsAt), showMs: Math.min(SHOWN_FOR_MS, moveTimeMs) };
}

const nameAt = (game: Game, player: PlayerNumber): string =>
  playerAt(game, player)?.username ?? "Nobody";

function personAt(game: Game, player: PlayerNumber, { seat, opponent }: Held): Person {
  const change = ratingChange(game, player);
  const watched = seat === otherPlayer(player) && !isOver(game);
  return {
    name: nameAt(game, player),
    bot: false,
    rating: change ? change.before + change.delta : (playerAt(game, player)?.rating ?? null),
    presence: watched ? (opponent.here ? "here" : { awayForMs: opponent.unseenMs }) : null,
  };
}

function endedOf(game: Game, seat: PlayerNumber | null): Ended {
  const winner = winnerOf(game);
  const change = seat === null ? null : ratingChange(game, seat);
  return {
    winner: winner && seatAt(winner),
    title: resultTitle(winner && seatAt(winner), seat && seatAt(seat), (at) =>
      nameAt(game, at === 0 ? 1 : 2),
    ),
    reason: reasonOf(game, seat, winner),
    rating: change && { by: change.delta, to: change.before + change.delta },
  };
}

function reasonOf(game: Game, seat: PlayerNumber | null, winner: PlayerNumber | null): string {
  const won = winner !== null && winner === seat;
  switch (game.endedReason) {
    case "CONNECT4":
      return won ? "Four in a row, nicely done." : "Four in a row.";
    case "BOARD_FULL":
      return "The board is full and nobody has four.";
    case "ABANDONED":
      return won ? "Your opponent left the table." : "The win was claimed by absence.";
    case "RESIGNED": {
      const loser = winner === null ? null : otherPlayer(winner);
      if (loser === null) return "";
      return loser === seat ? "You gave up." : `${nameAt(game, loser)} gave up.`;
    }
    case "TIMEOUT":
      return won && winner !== null
        ? `${nameAt(game, otherPlayer(winner))} took too long to move.`
        : "The time for a move ran out.";
    default:
      return "";
  }
}
