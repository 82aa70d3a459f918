// The tools in the box: what each is called, how its placement looks, and the price printed on it.
import type { MatchPlayer, MoveType, SpecialType } from "./wire";

interface Tool {
  type: MoveType;
  /** Engraved on it. */
  label: string;
  /** What it does, for a tooltip or a screen reader. */
  meaning: string;
  /** The cells it covers, seen from the one that is named: only to draw it. */
  shape: readonly (readonly [number, number])[];
}

export const TOOLS: readonly Tool[] = [
  { type: "SINGLE", label: "Single", meaning: "one stone", shape: [[0, 0]] },
  {
    type: "H2",
    label: "H2",
    meaning: "two stones side by side",
    shape: [
      [0, 0],
      [1, 0],
    ],
  },
  {
    type: "V2",
    label: "V2",
    meaning: "two stones, one below the other",
    shape: [
      [0, 0],
      [0, 1],
    ],
  },
  {
    type: "CROSS4",
    label: "Cross4",
    meaning: "four stones around a point",
    shape: [
      [0, -1],
      [-1, 0],
      [1, 0],
      [0, 1],
    ],
  },
  { type: "BOMB", label: "Bomb", meaning: "breaks one of their stones", shape: [[0, 0]] },
];

export interface Special extends Tool {
  type: SpecialType;
  price: number;
}

const PRICES: Record<SpecialType, number> = { H2: 4, V2: 4, CROSS4: 8, BOMB: 3 };

const isSpecial = (tool: Tool): tool is Tool & { type: SpecialType } => tool.type !== "SINGLE";

export const SPECIALS: readonly Special[] = TOOLS.filter(isSpecial).map((tool) => ({
  ...tool,
  price: PRICES[tool.type],
}));

export function toolOf(type: MoveType): Tool {
  const found = TOOLS.find((tool) => tool.type === type);
  if (!found) throw new Error(`no such tool: ${type}`);
  return found;
}

/** How many a player has; single stones never run out. */
export function stock(player: MatchPlayer, type: MoveType): number {
  switch (type) {
    case "SINGLE":
      return Number.POSITIVE_INFINITY;
    case "H2":
      return player.inventory_h2;
    case "V2":
      return player.inventory_v2;
    case "CROSS4":
      return player.inventory_cross4;
    case "BOMB":
      return player.inventory_bomb;
  }
}
