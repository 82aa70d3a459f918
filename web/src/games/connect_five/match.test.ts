// A match seen from a seat: clocks between two messages, and what was won or lost.
import { describe, expect, it } from "vitest";
import { clockText } from "./clock";
import { clockAt, payout, resultTitle } from "./match";
import { footprint, placeName, placesOf, SIZE } from "./places";
import { everywhere, nowhere, testMatch } from "./test-match";

const noon = Date.parse("2030-01-01T12:00:00.000Z");

describe("a clock @C100", () => {
  it("runs from the turn's start for whoever moves, and stands for the other", () => {
    const match = testMatch({ clock_b_remaining_ms: 120_000 });
    expect(clockAt(match, 0, noon + 30_000)).toBe(270_000);
    expect(clockAt(match, 1, noon + 30_000)).toBe(120_000);
  });

  it("stops at nothing, and gains nothing from a page whose time is behind", () => {
    expect(clockAt(testMatch(), 0, noon + 400_000)).toBe(0);
    expect(clockAt(testMatch(), 0, noon - 5_000)).toBe(300_000);
  });

  it("shows tenths when they count", () => {
    expect([300_000, 61_001, 10_000, 9_990, 0].map(clockText)).toEqual([
      "5:00",
      "1:02",
      "0:10",
      "0:09.9",
      "0:00.0",
    ]);
  });
});

describe("the end", () => {
  it("pays the winner the pool, the loser nothing, and both their own after a draw", () => {
    const won = testMatch({ status: "finished_timeout", winner: 2, prize_pool_total: 208 });
    expect([payout(won, 0), payout(won, 1)]).toEqual([0, 208]);
    expect([resultTitle(won, 0), resultTitle(won, 1)]).toEqual(["Bert wins", "You win"]);
    const draw = testMatch({ status: "draw" });
    expect([payout(draw, 0), payout(draw, 1)]).toEqual([100, 100]);
  });
});

describe("a place", () => {
  it("has a letter and a number", () => {
    expect([placeName({ x: 0, y: 0 }), placeName({ x: 13, y: 13 })]).toEqual(["A1", "N14"]);
  });

  it("is legal where the server's mask says so", () => {
    expect(placesOf(everywhere)).toHaveLength(SIZE * SIZE);
    expect(placesOf(`01${nowhere.slice(17)}1${nowhere.slice(0, 14)}`)).toEqual([
      { x: 1, y: 0 },
      { x: 13, y: 12 },
    ]);
    expect(placesOf(undefined)).toEqual([]);
  });

  it("is drawn with what is on the board only", () => {
    expect(footprint("H2", { x: 13, y: 0 }).map(placeName)).toEqual(["N1"]);
    expect(footprint("CROSS4", { x: 6, y: 6 })).toHaveLength(4);
  });
});
