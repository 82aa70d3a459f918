// What the table is told of a game of Connect 4.
import { expect, it } from "vitest";
import { asTable } from "./as-table";
import { testGame } from "./test-game";

const actions = {
  held: null,
  drop: () => undefined,
  claim: () => undefined,
  resign: () => undefined,
  rematch: () => undefined,
  asking: false,
  withdraw: () => undefined,
  playAnyone: () => undefined,
};
const opponent = { here: true, stayed: true, unseenMs: 0, claimable: false, claimableInMs: 30_000 };
const gone = { here: false, stayed: true, unseenMs: 31_000, claimable: true, claimableInMs: 0 };
const move = { moveNumber: 1, column: 4, row: 5, player: 1, userId: "u1", ts: "" } as const;

it("gives columns only to whoever is to move", () => {
  const game = testGame({ currentTurn: 2 });
  const legal = (seat: 1 | 2 | null) => asTable(game, { seat, opponent }, actions).legal.length;
  expect([legal(1), legal(2), legal(null)]).toEqual([0, 7, 0]);
});

it("says who is away since when, and what can be claimed, to who sits there only", () => {
  const mine = asTable(testGame(), { seat: 1, opponent: gone }, actions);
  expect(mine.players.map(({ presence }) => presence)).toEqual([null, { awayForMs: 31_000 }]);
  expect(mine.claim?.label).toBe("Opponent Disconnected - Claim Win");
  const watched = asTable(testGame(), { seat: null, opponent: gone }, actions);
  expect(watched.players.map(({ presence }) => presence)).toEqual([null, null]);
  expect(watched).toMatchObject({ claim: null, seats: [] });
});

it("tells the last move in words for the one who hears it", () => {
  const game = testGame({ moves: [move], currentTurn: 2 });
  const told = (seat: 1 | 2) => asTable(game, { seat, opponent }, actions).told?.words;
  expect(told(1)).toBe("You, red, column 5.");
  expect(told(2)).toBe("Anna, red, column 5.");
});

it("ends with a title, a reason and the rating, seen from each seat", () => {
  const over = testGame({
    status: "COMPLETED",
    result: "P1_WIN",
    endedReason: "CONNECT4",
    p1RatingDelta: 16,
    p2RatingDelta: -16,
    rematchRequestedBy: 2,
  });
  const table = asTable(over, { seat: 1, opponent }, actions);
  expect(table).toMatchObject({ turn: null, legal: [], next: { by: [1], href: null } });
  expect(table.ended).toEqual({
    winner: 0,
    title: "You win",
    reason: "Four in a row, nicely done.",
    rating: { by: 16, to: 1016 },
  });
  const lost = asTable(over, { seat: 2, opponent }, actions).ended;
  expect(lost).toMatchObject({ title: "Anna wins", reason: "Four in a row." });
  expect(asTable(over, { seat: null, opponent }, actions).ended?.rating).toBeNull();
});

it("can be given up by who plays it, and says who did", () => {
  const resign = (seat: 1 | 2 | null, changes = {}) =>
    asTable(testGame(changes), { seat, opponent }, actions).resign;
  expect([resign(1), resign(2), resign(null)]).toEqual([actions.resign, actions.resign, null]);
  const over = { status: "COMPLETED", result: "P2_WIN", endedReason: "RESIGNED" } as const;
  expect(resign(1, over)).toBeNull();
  const reason = (seat: 1 | 2 | null) =>
    asTable(testGame(over), { seat, opponent }, actions).ended?.reason;
  expect([reason(1), reason(2), reason(null)]).toEqual([
    "You gave up.",
    "Anna gave up.",
    "Anna gave up.",
  ]);
});
