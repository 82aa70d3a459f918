// Whom one played against, as the table called them.
import { expect, it } from "vitest";
import { testRecord } from "@/games/memory/test-table";
import { opponentOf } from "./played-list";

const nobody = { character: "", rating: null, error: null };
const OPPONENTS = [
  { ...nobody, name: "easy", title: "Twig" },
  { ...nobody, name: "hard", title: "Stem" },
];
const against = (player1_name: string, player1_user_id: string | null) =>
  opponentOf({ ...testRecord(), your_index: 0, player1_name, player1_user_id }, OPPONENTS);

it("knows the computer by its title, by its level in games of before, or by its account", () => {
  expect(against("Twig", null)).toEqual({ name: "Twig", bot: true });
  expect(against("Easy", null)).toEqual({ name: "Easy", bot: true });
  expect(against("hard", null)).toEqual({ name: "hard", bot: true });
  expect(against("ai:Owl", "ai:Owl")).toEqual({ name: "Owl", bot: true });
});

it("takes nobody else for one", () => {
  expect(against("Twig", "u7")).toEqual({ name: "Twig", bot: false });
  expect(against("Guest", null)).toEqual({ name: "Guest", bot: false });
});
