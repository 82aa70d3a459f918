// A match of Connect Five as the table's parts see it, from one of its two seats.
import type { Seat } from "@/core/wire";
import type { Ended, Person, TableModel, Told } from "@/table/model";
import type { Placement, View } from "./board";
import { moveInWords } from "./events";
import { isOver, personAt, resultReason, resultTitle, seatOf } from "./match";
import { placesOf, toPlace } from "./places";
import { TOOLS } from "./tools";
import type { Match } from "./wire";

interface Doing {
  /** Sent, and not answered yet. */
  held: Placement | null;
  place: (placement: Placement) => void;
  challengeAgain: () => void;
  challengeAnother: () => void;
}

export function asTable(match: Match, seat: Seat, doing: Doing): TableModel<View, Placement> {
  const { active_player } = match;
  return {
    id: match.uuid,
    players: [sitting(match, 0), sitting(match, 1)],
    seats: [seat],
    time: null,
    turn: active_player === null ? null : seatOf(match, active_player.id),
    view: viewOf(match),
    legal: TOOLS.flatMap(({ type }) =>
      placesOf(match.legal?.[type]).map((place) => ({ tool: type, place })),
    ),
    chosen: doing.held,
    told: toldOf(match, seat),
    task: null,
    ended: isOver(match) ? endedOf(match, seat) : null,
    next: { kind: "again", label: "Challenge again", again: doing.challengeAgain },
    others: [{ kind: "anyone", label: "New opponent", begin: doing.challengeAnother }],
    act: doing.place,
    resign: null,
    claim: null,
  };
}

export function viewOf(match: Match): View {
  const last = match.last_move;
  return {
    cells: match.board_state,
    turnNumber: match.turn_number,
    last: last && {
      by: seatOf(match, last.user),
      placed: last.placed.map(toPlace),
      removed: last.removed.map(toPlace),
    },
    winning: match.winning_cells.map(toPlace),
  };
}

const sitting = (match: Match, seat: Seat): Person => ({
  name: personAt(match, seat).username,
  bot: false,
  rating: null,
  presence: null,
});

function toldOf(match: Match, seat: Seat): Told | null {
  const last = match.last_move;
  if (!last) return null;
  const by = seatOf(match, last.user);
  const who = by === seat ? "You" : personAt(match, by).username;
  return {
    key: JSON.stringify([match.turn_number, last]),
    words: `${who}: ${moveInWords({ ...last })}.`,
    by,
  };
}

const endedOf = (match: Match, seat: Seat): Ended => ({
  winner: match.winner === null ? null : seatOf(match, match.winner),
  title: resultTitle(match, seat),
  reason: resultReason(match, seat),
  rating: null,
});
