// Whom one can play: all of them, each with what is known of it, and whom one played last.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Opponent } from "@/core/wire";
import { botName } from "./names";
import { nextLevels } from "./next-levels";
import { Opponents } from "./opponents";

const some = (...titles: string[]): Opponent[] =>
  titles.map((title, place) => ({
    name: `level${place}`,
    title,
    character: `${title} plays.`,
    rating: place === 0 ? null : 1000 + place,
    error: place === 0 ? null : 12,
  }));
const FIVE = some("Ann", "Ben", "Cis", "Dan", "Eve");

function shown(opponents: Opponent[], begin = vi.fn()) {
  const queries = new QueryClient();
  queries.setQueryData(["play", "games"], [{ key: "nim", rated: true, opponents, options: [] }]);
  render(
    <QueryClientProvider client={queries}>
      <Opponents game="nim" begin={begin} />
    </QueryClientProvider>,
  );
  return begin;
}

beforeEach(() => localStorage.clear());
afterEach(cleanup);

it("shows each with name, character and what was measured, and begins with one click", () => {
  const begin = shown(FIVE);
  const cards = screen.getAllByRole("button");
  expect(cards.map((card) => card.textContent?.slice(0, 3))).toEqual([
    "Ann",
    "Ben",
    "Cis",
    "Dan",
    "Eve",
  ]);
  expect(cards[0]?.textContent).toContain("Level 1 of 5");
  expect(cards[2]?.textContent).toContain("Rating 1002 ±12");
  expect(cards[2]?.textContent).toContain("Cis plays.");
  expect(cards[1]?.textContent).toContain("For a first game");
  fireEvent.click(cards[3] as HTMLElement);
  expect(begin).toHaveBeenCalledWith("level3");
});

it("remembers whom one played last", () => {
  shown(FIVE);
  fireEvent.click(screen.getAllByRole("button")[4] as HTMLElement);
  cleanup();
  shown(FIVE);
  expect(screen.getByRole("button", { name: /Eve/ }).textContent).toContain("Last time");
  expect(screen.queryByText("For a first game")).toBeNull();
});

it("is not there where the computer does not play", () => {
  shown([]);
  expect(screen.queryByRole("group")).toBeNull();
});

it("offers who is easier and who is harder after a game", () => {
  const begin = vi.fn();
  const labels = (played: string) =>
    nextLevels("nim", FIVE, played, begin).map((each) => each.label);
  expect(labels("level0")).toEqual(["Harder: Ben"]);
  expect(labels("level2")).toEqual(["Easier: Ben", "Harder: Dan"]);
  expect(labels("level4")).toEqual(["Easier: Dan"]);
  expect(labels("unknown")).toEqual([]);
  nextLevels("nim", FIVE, "level2", begin)[1]?.begin();
  expect(begin).toHaveBeenCalledWith("level3");
});

it("calls opponents by their names, and those of old games by their levels", () => {
  expect(["Vera", "Easy", "hard"].map(botName)).toEqual(["Vera", "Easy computer", "Hard computer"]);
});
