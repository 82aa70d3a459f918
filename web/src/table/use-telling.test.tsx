// What a screen reader hears at the table: each thing once.
import { renderHook } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { announce } from "@/core/announce";
import { play } from "@/core/sound";
import type { TableModel } from "./model";
import { testTable } from "./test-model";
import { useTelling } from "./use-telling";

vi.mock("@/core/announce", () => ({ announce: vi.fn() }));
vi.mock("@/core/sound", () => ({ play: vi.fn() }));
const said = () => vi.mocked(announce).mock.calls.map(([words]) => words);
const sounds = () => vi.mocked(play).mock.calls.map(([sound]) => sound);

beforeEach(() => {
  vi.mocked(announce).mockClear();
  vi.mocked(play).mockClear();
});

function tell(first: Partial<TableModel>) {
  const { rerender } = renderHook(({ now }: { now: TableModel }) => useTelling(now), {
    initialProps: { now: testTable(first) },
  });
  return (changes: Partial<TableModel>) => rerender({ now: testTable(changes) });
}

const theirs = { key: 2, words: "Bert, yellow, column 5.", by: 1 } as const;

it("says whose turn it is when play begins, and not again with every look at the game", () => {
  const look = tell({});
  expect(said()).toEqual(["Your turn."]);
  for (let times = 0; times < 3; times++) look({});
  expect(said()).toEqual(["Your turn."]);
});

it("says what was done and whose turn it is then, with a chime for one's own", () => {
  const look = tell({ turn: 1 });
  look({ turn: 0, told: theirs });
  look({ turn: 0, told: { ...theirs } });
  expect(said()).toEqual(["Bert is to move.", "Bert, yellow, column 5. Your turn."]);
  expect(sounds()).toEqual(["chime"]);
});

it("says how it ended, whether that comes with the last move or after it", () => {
  const ended = { winner: 0, title: "You win", reason: "Four in a row.", rating: null } as const;
  const look = tell({ turn: 1 });
  look({ turn: null, told: theirs, ended });
  look({ turn: null, told: theirs, ended: { ...ended } });
  expect(said().slice(1)).toEqual(["Bert, yellow, column 5. You win. Four in a row."]);
  const later = tell({ turn: 1 });
  later({ turn: 1, told: theirs });
  later({ turn: null, told: theirs, ended });
  expect(said().at(-1)).toBe("You win. Four in a row.");
  expect(sounds()).toEqual(["win", "win"]);
});

it("does not celebrate a game that is looked up later", () => {
  tell({ turn: null, ended: { winner: 0, title: "You win", reason: "", rating: null } });
  expect(said()).toEqual([]);
  expect(sounds()).toEqual([]);
});

it("says what is to be done where that is more than whose turn it is", () => {
  tell({ task: "Your turn: place the piece." });
  expect(said()).toEqual(["Your turn: place the piece."]);
});
