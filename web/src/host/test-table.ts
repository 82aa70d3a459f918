// A table of a game that nobody knows, as the host shows it.
import type { PlayStep, PlayTable } from "@/core/wire";

export function table(changes: Partial<PlayTable> = {}): PlayTable {
  const player = { user_id: null, bot: null, rating: 1200, here: true };
  return {
    type: "table",
    match: "m1",
    version: 2,
    status: "active",
    view: { stones: 0 },
    legal: [{ type: "place", cell: 1 }],
    claims: [],
    turn: 0,
    deadline_at: null,
    now: 1000,
    result: null,
    game: "nim",
    public_id: "P1",
    code: "K7QF2M",
    mode: "online",
    options: {},
    seat: 0,
    seats: [0],
    players: [
      { ...player, name: "Anna" },
      { ...player, name: "Ben" },
    ],
    rematch_by: null,
    next_match: null,
    help: [],
    ...changes,
  };
}

export function step(changes: Partial<PlayStep> = {}): PlayStep {
  return {
    type: "step",
    match: "m1",
    version: 3,
    status: "active",
    view: { stones: 1 },
    legal: [],
    claims: [],
    turn: 1,
    deadline_at: null,
    now: 2000,
    result: null,
    kind: "act",
    by: 0,
    action: { type: "place", cell: 1 },
    events: [],
    ...changes,
  };
}
