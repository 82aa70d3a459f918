// Says what happens at the table: to screen readers in words, to everyone else with a sound.
import { useEffect, useRef } from "react";
import { announce } from "@/core/announce";
import { money } from "@/core/money";
import { play } from "@/core/sound";
import { moveInWords } from "./events";
import {
  hasWon,
  isActive,
  isOver,
  otherSeat,
  personAt,
  playerAt,
  resultReason,
  resultTitle,
  type Seat,
} from "./match";
import type { Match } from "./wire";

/** After a stone has landed. */
const LANDED_MS = 300;
const BROKEN_MS = 450;

export function useTelling(match: Match, seat: Seat): void {
  const told = useRef<Match | null>(null);
  useEffect(() => {
    const before = told.current;
    told.current = match;
    if (!before) return;
    const words = [...moved(before, match, seat), ...bought(before, match, seat)];
    if (isOver(match) && !isOver(before)) {
      words.push(`${resultTitle(match, seat)}. ${resultReason(match, seat)}`);
      if (hasWon(match, seat)) play("win", { delayMs: LANDED_MS });
    } else if (isActive(match, seat) && !isActive(before, seat)) {
      words.push("Your turn.");
      play("chime", { delayMs: LANDED_MS + 150 });
    }
    if (words.length > 0) announce(words.join(" "));
  }, [match, seat]);
}

function moved(before: Match, match: Match, seat: Seat): string[] {
  const last = match.last_move;
  const same = JSON.stringify(last) === JSON.stringify(before.last_move);
  if (!last || (same && before.turn_number === match.turn_number)) return [];
  const who =
    last.user === personAt(match, seat).id ? "You" : personAt(match, otherSeat(seat)).username;
  if (last.removed.length > 0) {
    play("knock");
    for (const delayMs of [0, 45, 110])
      play("glass", { delayMs: BROKEN_MS + delayMs, loudness: 1.3 });
  }
  for (const [index] of last.placed.entries()) play("glass", { delayMs: index * 60 });
  return [`${who}: ${moveInWords({ ...last })}.`];
}

function bought(before: Match, match: Match, seat: Seat): string[] {
  const other = otherSeat(seat);
  const spent = playerAt(match, other).spent_total - playerAt(before, other).spent_total;
  if (spent <= 0) return [];
  play("coins", { loudness: 0.6 });
  return [`${personAt(match, other).username} bought tools for ${money(spent, match.currency)}.`];
}
