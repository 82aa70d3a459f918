// The power-ups as players read of them, by the id the server uses. A new one is one more entry.

export interface PowerUp {
  id: string;
  label: string;
  description: string;
  /** The pair that grants it, whose symbol stands for it. */
  pairId: number;
  /** It is used on a card that must be picked first. */
  targeted: boolean;
}

export const powerUps: Readonly<Record<string, PowerUp>> = {
  chaos: {
    id: "chaos",
    label: "Chaos",
    description: "All cards that are not matched change places. What anyone knew is worth nothing.",
    pairId: 0,
    targeted: false,
  },
  clairvoyance: {
    id: "clairvoyance",
    label: "Clairvoyance",
    description: "Pick a card: it and its neighbours show themselves for a moment, to both of you.",
    pairId: 1,
    targeted: true,
  },
  necromancy: {
    id: "necromancy",
    label: "Necromancy",
    description: "All matched cards come back face down, shuffled. Scores and hands stay.",
    pairId: 2,
    targeted: false,
  },
  unveiling: {
    id: "unveiling",
    label: "Unveiling",
    description: "Cards that nobody has seen yet glow until your turn ends.",
    pairId: 3,
    targeted: false,
  },
};

/** One the page does not know is shown by its id, and works all the same. */
export function powerUp(id: string): PowerUp {
  return powerUps[id] ?? { id, label: id, description: "", pairId: 0, targeted: false };
}
