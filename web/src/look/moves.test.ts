// What is said of moves, and the line that they draw.
import { expect, it } from "vitest";
import type { Judged } from "@/core/wire";
import { mistakeInWords, valuesOf, wasBettered } from "./moves";

const move = (changes: Partial<Judged> = {}): Judged => ({
  version: 2,
  seat: 0,
  action: { type: "place", cell: 1 },
  before: 0.25,
  after: -1,
  exact: false,
  best: { type: "place", cell: 2 },
  best_after: 0.25,
  loss: 1.25,
  mistake: "drawn_lost",
  note: "",
  ...changes,
});

it("draws the line as whoever sits below sees it, and keeps it where nobody knows", () => {
  const moves = [move(), move({ after: null }), move({ after: 1 })];
  expect(valuesOf(moves, 0)).toEqual([0.25, -1, -1, 1]);
  expect(valuesOf(moves, 1)).toEqual([-0.25, 1, 1, -1]);
  expect(valuesOf([], 0)).toEqual([0]);
});

it("says of a mistake whether it is known or estimated", () => {
  expect(mistakeInWords(move())).toBe("gave the draw away, by estimate");
  expect(mistakeInWords(move({ mistake: "won_lost", exact: true }))).toBe(
    "turned a win into a loss",
  );
  expect(mistakeInWords(move({ mistake: null }))).toBe("");
});

it("names something better only where something was lost", () => {
  expect(wasBettered(move())).toBe(true);
  expect(wasBettered(move({ loss: 0 }))).toBe(false);
  expect(wasBettered(move({ best: null }))).toBe(false);
  expect(wasBettered(move({ best: { type: "place", cell: 1 } }))).toBe(false);
});
