// What a player holds: the tool in hand.
import { useState } from "react";
import type { Seat } from "@/core/wire";
import { usePageKeys } from "@/table/use-page-keys";
import { playerAt } from "./match";
import { stock, TOOLS } from "./tools";
import type { Match, MoveType } from "./wire";

export interface Hand {
  tool: MoveType;
  choose: (tool: MoveType) => void;
}

export function useHand(match: Match, seat: Seat): Hand {
  const [wanted, setWanted] = useState<MoveType>("SINGLE");
  const has = (tool: MoveType) => stock(playerAt(match, seat), tool) > 0;
  const choose = (tool: MoveType) => {
    if (has(tool)) setWanted(tool);
  };
  useToolKeys(choose);
  // A special that was used up gives way to a plain stone.
  return { tool: has(wanted) ? wanted : "SINGLE", choose };
}

/** Keys 1 to 5 choose a tool from anywhere on the page. Arrows bring the focus to the board. */
function useToolKeys(choose: (tool: MoveType) => void): void {
  usePageKeys({
    onKey: (key) => {
      const tool = /^[1-5]$/.test(key) ? TOOLS[Number(key) - 1] : undefined;
      if (tool) choose(tool.type);
    },
    arrowsTo: () => document.querySelector<HTMLElement>('[role="gridcell"][tabindex="0"]'),
  });
}
