// A game's addresses.
import { expect, it } from "vitest";
import { nameOf, placeOf, tableAt } from "./place";

it("reads the start, a code in any case, a table, and nothing else", () => {
  expect(placeOf("/")).toEqual({ kind: "start" });
  expect(placeOf("/k7qf2m")).toEqual({ kind: "code", code: "K7QF2M" });
  expect(placeOf("/game/m1")).toEqual(tableAt("m1"));
  for (const path of ["/K7QF2", "/K7QF2M/x", "/game", "/game/m1/x", "/K7QF2!"]) {
    expect(placeOf(path)).toEqual({ kind: "nowhere" });
  }
});

it("tells places apart", () => {
  const names = ["/", "/K7QF2M", "/game/K7QF2M", "/game/m1", "/x"].map((path) =>
    nameOf(placeOf(path)),
  );
  expect(new Set(names).size).toBe(names.length);
});
