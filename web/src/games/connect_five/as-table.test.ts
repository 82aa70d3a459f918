// A match as the table sees it: what may be placed, what is told, and how it ended.
import { expect, it } from "vitest";
import { asTable } from "./as-table";
import { fits } from "./board";
import { nowhere, testMatch } from "./test-match";
import type { Match } from "./wire";

const table = (changes: Partial<Match> = {}, seat: 0 | 1 = 0) =>
  asTable(testMatch(changes), seat, {
    held: null,
    place: () => undefined,
    challengeAgain: () => undefined,
    challengeAnother: () => undefined,
  });

const last: Match["last_move"] = {
  user: 2,
  move_type: "H2",
  x: 2,
  y: 0,
  placed: [
    [2, 0],
    [3, 0],
  ],
  removed: [],
};

it("may place what the server says, with the tool it says @C96", () => {
  const { legal } = table();
  expect(fits(legal, { tool: "SINGLE", place: { x: 13, y: 13 } })).toBe(true);
  expect(fits(legal, { tool: "BOMB", place: { x: 13, y: 13 } })).toBe(false);
  expect(table({ legal: null }).legal).toEqual([]);
  const all = { SINGLE: nowhere, H2: nowhere, V2: nowhere, CROSS4: nowhere, BOMB: nowhere };
  expect(table({ legal: { ...all, BOMB: `1${nowhere.slice(1)}` } }).legal).toEqual([
    { tool: "BOMB", place: { x: 0, y: 0 } },
  ]);
});

it("tells the last move to either, and each move anew", () => {
  const told = table({ last_move: last, turn_number: 2 }).told;
  expect(told).toMatchObject({ words: "Bert: two side by side from C1.", by: 1 });
  expect(table({ last_move: last }, 1).told?.words).toBe("You: two side by side from C1.");
  expect(table({ last_move: last, turn_number: 4 }).told?.key).not.toBe(told?.key);
  expect(table().told).toBeNull();
});

it("ends in the words of whoever looks", () => {
  const over = { status: "finished_timeout", active_player: null, winner: 2 } as const;
  const reason = { finish_reason: "timeout" } as const;
  expect(table({ ...over, ...reason })).toMatchObject({
    turn: null,
    ended: { winner: 1, title: "Bert wins", reason: "Your clock ran out.", rating: null },
  });
  expect(table({ ...over, ...reason }, 1).ended).toMatchObject({
    title: "You win",
    reason: "Anna’s clock ran out.",
  });
  const off = { status: "cancelled", active_player: null, finish_reason: "cancelled" } as const;
  expect(table(off).ended).toMatchObject({ winner: null, title: "Called off" });
});
