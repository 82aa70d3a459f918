// A game's addresses.
import { expect, it } from "vitest";
import { besideOf, nameOf, placeOf, tableAt } from "./place";

it("reads the start, a code in any case, a table, and nothing else", () => {
  expect(placeOf("/")).toEqual({ kind: "start" });
  expect(placeOf("/k7qf2m")).toEqual({ kind: "code", code: "K7QF2M" });
  expect(placeOf("/game/m1")).toEqual(tableAt("m1"));
  for (const path of ["/K7QF2", "/K7QF2M/x", "/game", "/game/m1/x", "/K7QF2!"]) {
    expect(placeOf(path)).toEqual({ kind: "nowhere" });
  }
});

it("knows its tables beside a game's own by their long ids", () => {
  const long = "0197a1f2-0000-7000-8000-0123456789ab";
  expect(besideOf("/")).toEqual({ kind: "start" });
  expect(besideOf(`/game/${long}`)).toEqual({ kind: "table", match: long });
  for (const path of ["/game/K7QF2M8P", "/join/K7QF2M", "/K7QF2M", `/game/${long}/x`]) {
    expect(besideOf(path)).toEqual({ kind: "nowhere" });
  }
});

it("tells places apart", () => {
  const names = ["/", "/K7QF2M", "/game/K7QF2M", "/game/m1", "/x"].map((path) =>
    nameOf(placeOf(path)),
  );
  expect(new Set(names).size).toBe(names.length);
});
