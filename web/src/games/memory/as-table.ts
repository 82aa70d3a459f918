// A game of Memory as the table's parts see it. The document tells everything from one's own side:
// one sits at 0, the opponent at 1.
import type { Ended, MoveTime, Person, RatingMove, TableModel } from "@/table/model";
import type { View } from "./board";
import { resultReason, resultTitle } from "./ending";
import type { Ending, Found, Memory, State } from "./memory";
import type { WhatNext } from "./what-next";

interface Doing {
  /** A card was chosen. */
  choose: (index: number) => void;
  leave: () => void;
}

/** A game that is on, or was until just now. */
export interface Held extends Memory {
  found: Found;
  state: State;
}

export const isHeld = (memory: Memory): memory is Held =>
  memory.found !== null && memory.state !== null;

export function asTable(
  held: Held,
  rating: RatingMove | null,
  after: WhatNext,
  doing: Doing,
): TableModel<View, number> {
  const { found, state, ending } = held;
  return {
    id: found.gameId,
    players: [{ name: state.you.name, bot: false, rating: null, presence: null }, opponentOf(held)],
    seats: [0],
    turn: ending ? null : state.yourTurn ? 0 : 1,
    time: timeOf(state.turnEndsAtUnixMs, (state.turnCountdownShowSec ?? 0) * 1000),
    view: {
      rows: found.boardRows,
      cols: found.boardCols,
      cards: state.cards,
      highlighted: state.highlightIndices ?? [],
    },
    legal: ending ? [] : choosable(state),
    chosen: null,
    told: held.told,
    task: state.yourTurn ? TASKS[state.phase] : null,
    ended: ending && endedOf(ending, found.opponentName, rating),
    ...after,
    act: doing.choose,
    resign: doing.leave,
    resignNote: `${found.opponentName} wins if you go.`,
    claim: null,
  };
}

/** `endsAt` is not there while the clock stands, and where there is none. */
export const timeOf = (endsAt: number | null | undefined, showMs: number): MoveTime | null =>
  endsAt == null ? null : { endsAt, showMs };

export const TASKS: Record<State["phase"], string> = {
  first_flip: "Your turn. Turn over a card.",
  second_flip: "And its twin?",
  resolve: "No match. Remember them.",
};

const choosable = ({ yourTurn, phase, cards }: State): number[] =>
  yourTurn && phase !== "resolve"
    ? cards.filter(({ state }) => state === "hidden").map(({ index }) => index)
    : [];

function opponentOf({ found, state, ending, awayUntil }: Held): Person {
  const bot = found.opponentUserId?.startsWith("ai:") ?? false;
  return {
    name: state.opponent.name,
    bot,
    rating: null,
    presence: bot || ending ? null : awayUntil === null ? "here" : { awayUntil },
  };
}

const winners = { win: 0, lose: 1, draw: null } as const;

const endedOf = (ending: Ending, opponent: string, rating: RatingMove | null): Ended => ({
  winner: winners[ending.result],
  title: resultTitle(ending),
  reason: resultReason(ending, opponent),
  rating,
});
