// Says what happens at the table: to screen readers in words, to everyone else with a chime.
import { useEffect, useRef } from "react";
import { announce } from "@/core/announce";
import { play } from "@/core/sound";
import type { PlayStep, PlayTable } from "@/core/wire";
import type { Hosted } from "@/games/game";
import { resultReason, resultTitle } from "./ending";
import { isMyTurn, nameAt, ownSeat, whoAt } from "./names";

/** After what was put down has come to lie. */
const LANDED_MS = 450;

export function useTelling(table: PlayTable, last: PlayStep | null, hosted: Hosted): void {
  // Undefined: nothing yet, at the start of a game or when one comes back to it.
  const told = useRef<PlayStep | null | undefined>(undefined);
  useEffect(() => {
    if (last === told.current) return;
    const first = told.current === undefined;
    told.current = last;
    if (last === null) {
      if (first && table.status === "active") announce(turnInWords(table));
      return;
    }
    const words = [hosted.told(last, whoAt(table))];
    if (table.status !== "active") {
      words.push(`${resultTitle(table)}.`, resultReason(table, hosted));
      const won = table.result !== null && table.result.winner === ownSeat(table);
      if (won && table.result?.winner !== null) play("win", { delayMs: LANDED_MS });
    } else if (last.kind === "act" || last.kind === "expire") {
      words.push(turnInWords(table));
      if (isMyTurn(table) && last.by !== ownSeat(table)) play("chime", { delayMs: LANDED_MS });
    }
    const said = words.filter((each) => each !== "").join(" ");
    if (said !== "") announce(said);
  }, [table, last, hosted]);
}

/** Whose turn it is; also what the page shows. */
export function turnInWords(table: PlayTable): string {
  if (table.turn === null) return "";
  return isMyTurn(table) ? "Your turn." : `${nameAt(table, table.turn)} is to move.`;
}
