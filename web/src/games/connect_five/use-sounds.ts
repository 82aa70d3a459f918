// What is heard at the table besides whose turn it is: stones that land and break, and what is bought.
import { useEffect, useRef } from "react";
import { announce } from "@/core/announce";
import { money } from "@/core/money";
import { play } from "@/core/sound";
import type { Seat } from "@/core/wire";
import { otherSeat } from "@/table/names";
import { personAt, playerAt } from "./match";
import type { Match } from "./wire";

/** After a stone has cracked. */
const BROKEN_MS = 450;

export function useSounds(match: Match, seat: Seat): void {
  const heard = useRef<Match | null>(null);
  useEffect(() => {
    const before = heard.current;
    heard.current = match;
    if (!before) return;
    moved(before, match);
    bought(before, match, otherSeat(seat));
  }, [match, seat]);
}

function moved(before: Match, match: Match): void {
  const last = match.last_move;
  const same = JSON.stringify(last) === JSON.stringify(before.last_move);
  if (!last || (same && before.turn_number === match.turn_number)) return;
  if (last.removed.length > 0) {
    play("knock");
    for (const delayMs of [0, 45, 110])
      play("glass", { delayMs: BROKEN_MS + delayMs, loudness: 1.3 });
  }
  for (const [index] of last.placed.entries()) play("glass", { delayMs: index * 60 });
}

function bought(before: Match, match: Match, other: Seat): void {
  const spent = playerAt(match, other).spent_total - playerAt(before, other).spent_total;
  if (spent <= 0) return;
  play("coins", { loudness: 0.6 });
  announce(`${personAt(match, other).username} bought tools for ${money(spent, match.currency)}.`);
}
