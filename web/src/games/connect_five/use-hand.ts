// What a player holds: the tool in hand, and the place a finger picked.
import { useEffect, useState } from "react";
import type { Seat } from "@/core/wire";
import { playerAt } from "./match";
import type { Place } from "./places";
import { stock, TOOLS } from "./tools";
import type { Match, MoveType } from "./wire";

export interface Hand {
  tool: MoveType;
  choose: (tool: MoveType) => void;
  picked: Place | null;
  pick: (place: Place | null) => void;
}

export function useHand(match: Match, seat: Seat): Hand {
  const [wanted, setWanted] = useState<MoveType>("SINGLE");
  // What was picked was picked on one turn; after it the board is another.
  const [pick, setPick] = useState<{ place: Place; turn: number } | null>(null);
  const has = (tool: MoveType) => stock(playerAt(match, seat), tool) > 0;
  const choose = (tool: MoveType) => {
    if (has(tool)) setWanted(tool);
  };
  useToolKeys(choose, () => setPick(null));
  return {
    // A special that was used up gives way to a plain stone.
    tool: has(wanted) ? wanted : "SINGLE",
    choose,
    picked: pick?.turn === match.turn_number ? pick.place : null,
    pick: (place) => setPick(place && { place, turn: match.turn_number }),
  };
}

/** Keys 1 to 5 choose a tool from anywhere on the page, Escape lets go of what was picked. Arrows
 * bring the focus to the board. */
function useToolKeys(choose: (tool: MoveType) => void, letGo: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, textarea, select, [role=dialog], [role=menu]")) return;
      const tool = /^[1-5]$/.test(event.key) ? TOOLS[Number(event.key) - 1] : undefined;
      if (tool) choose(tool.type);
      else if (event.key === "Escape") letGo();
      else if (event.key.startsWith("Arrow") && target === document.body) {
        document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]')?.focus();
        event.preventDefault();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}
