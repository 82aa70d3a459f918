// A room of Quarto as the table's parts see it.
import type { Another, Person, RatingMove, TableModel } from "@/table/model";
import { endedOf } from "./ending";
import { choicesOf, isOver, nameOf, otherSeat, seatAt } from "./room";
import type { HeldRoom } from "./use-room";
import type { Game, Move, Seat } from "./wire";
import { stepInWords, taskInWords } from "./words";

type Held = Pick<HeldRoom, "room" | "seat" | "pending" | "say">;

/** `rating` is what the game did to one's own, once that is known. */
export function asTable(
  game: Game,
  held: Held,
  rating: RatingMove | null,
  others: readonly Another[] = [],
): TableModel<Game, Move> {
  const { room, seat, pending, say } = held;
  const local = game.mode === "local";
  const own = local ? null : seat;
  const over = isOver(game);
  const last = game.history.at(-1);
  const seated = seat !== null;
  return {
    id: game.id,
    players: [personAt(game, held, 0), personAt(game, held, 1)],
    seats: !seated ? [] : local ? [0, 1] : [seatAt(seat)],
    turn: over ? null : seatAt(game.currentTurn),
    time: null,
    view: game,
    legal: legalOf(game, seat),
    chosen: moveIn(pending),
    told: last
      ? {
          key: game.history.length,
          words: stepInWords(last, (each) => (each === own ? "You" : nameOf(game, each))),
          by: seatAt(last.player),
        }
      : null,
    task: taskInWords(game, own),
    ended: over ? endedOf(game, own, room.left, rating) : null,
    next: {
      kind: "rematch",
      // Alone at the device nobody has to be asked.
      by: game.mode === "online" ? room.rematch.map(seatAt) : [],
      href: null,
      ask: seated ? () => say({ type: "REMATCH" }) : null,
      withdraw: () => say({ type: "WITHDRAW_REMATCH" }),
      gone: game.mode === "online" && seated && !room.here[otherSeat(seat)],
    },
    others: seated ? others : [],
    act: say,
    resign: seated ? () => say({ type: "LEAVE_ROOM" }) : null,
    claim: null,
  };
}

function personAt(game: Game, { room, seat }: Held, player: Seat): Person {
  const shown = game.players[player];
  const away = room.away[player] ?? null;
  const asked = game.mode === "online" && !isOver(game) && seat !== player;
  return {
    name: shown?.name ?? "Nobody",
    bot: shown?.type === "ai",
    rating: null,
    presence: asked || (away !== null && !isOver(game)) ? presenceOf(away) : null,
  };
}

const presenceOf = (away: number | null) => (away === null ? "here" : { awayUntil: away });

/** What may be done in the game by who sits there. */
export function legalOf(game: Game, seat: Seat | null): Move[] {
  const { pieces, positions, call } = choicesOf(game, seat);
  return [
    ...pieces.map((pieceId): Move => ({ type: "SELECT_PIECE", pieceId })),
    ...positions.map((position): Move => ({ type: "PLACE_PIECE", position })),
    ...(call ? [{ type: "CALL_QUARTO" } as const] : []),
  ];
}

function moveIn(said: Held["pending"]): Move | null {
  switch (said?.type) {
    case "SELECT_PIECE":
    case "PLACE_PIECE":
    case "CALL_QUARTO":
      return said;
    default:
      return null;
  }
}
