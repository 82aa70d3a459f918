// Where moments stand between the first of them and now.
import { describe, expect, it } from "vitest";
import { startLabel, timeline } from "./timeline";

const HOUR = 3_600_000;
const gaps = (places: readonly number[]) =>
  [...places, 1].slice(1).map((place, index) => place - (places[index] ?? 0));

describe("a timeline", () => {
  it("gives a long time more room than a short one", () => {
    const [hour, day, rest] = gaps(timeline([0, HOUR, 25 * HOUR], 49 * HOUR));
    expect(day).toBeGreaterThan(5 * (hour ?? 0));
    expect(rest).toBeCloseTo(day ?? 0);
  });

  it("begins at the left, and says no moment before the one that it follows", () => {
    const places = timeline([5, 5, 9, 9, 30], 40);
    expect(places[0]).toBe(0);
    expect(places).toEqual([...places].sort((one, other) => one - other));
    expect(places.at(-1)).toBeLessThan(1);
  });

  it("keeps apart what happened within seconds, however long ago", () => {
    for (const now of [3000, 1000 * HOUR]) {
      expect(Math.min(...gaps(timeline([0, 1000, 2000], now)))).toBeGreaterThan(0.02);
    }
    const many = Array.from({ length: 200 }, (_, second) => second * 1000);
    expect(Math.min(...gaps(timeline(many, 1000 * HOUR)))).toBeGreaterThan(0.002);
  });

  it("has room for moments of which none lies before another, or before now", () => {
    expect(timeline([7], 7)).toEqual([0]);
    const places = timeline([7, 7], 3);
    expect(Math.min(...gaps(places))).toBeGreaterThan(0.02);
  });
});

it("begins with a time of the same day, or with a date", () => {
  const noon = new Date(2030, 0, 5, 12, 0).getTime();
  expect(startLabel(noon - HOUR, noon)).toBe("11:00");
  expect(startLabel(noon - 48 * HOUR, noon)).toBe("3 Jan");
});
