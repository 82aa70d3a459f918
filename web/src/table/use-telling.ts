// Says what happens at the table: to screen readers in words, to everyone else with a chime.
import { useEffect, useRef } from "react";
import { announce } from "@/core/announce";
import { play } from "@/core/sound";
import type { TableModel } from "./model";
import { isMyTurn, ownSeat, turnInWords } from "./names";

/** After what was put down has come to lie. */
const LANDED_MS = 450;

export function useTelling(table: TableModel): void {
  const { told, ended, turn } = table;
  const now = { key: told?.key ?? null, turn, over: ended !== null };
  // Null: nothing yet, at the start of a game or when one comes back to it.
  const before = useRef<typeof now | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what has been told is told once, whatever else changes
  useEffect(() => {
    const was = before.current;
    before.current = now;
    if (was === null) {
      if (!now.over) announce(turnInWords(table));
      return;
    }
    const words = told !== null && now.key !== was.key ? [told.words] : [];
    if (ended !== null) {
      if (!was.over) {
        words.push(`${ended.title}.`, ended.reason);
        const won = ended.winner !== null && table.seats.includes(ended.winner);
        if (won) play("win", { delayMs: LANDED_MS });
      }
    } else if (words.some((each) => each !== "") || now.turn !== was.turn) {
      words.push(turnInWords(table));
      if (isMyTurn(table) && told?.by !== ownSeat(table)) play("chime", { delayMs: LANDED_MS });
    }
    const said = words.filter((each) => each !== "").join(" ");
    if (said !== "") announce(said);
  }, [now.key, now.turn, now.over]);
}
