// Whom one played against, as the table called them.
import { expect, it } from "vitest";
import { testRecord } from "@/games/memory/test-table";
import { opponentOf } from "./played-list";

const BOTS = ["easy", "hard"];
const against = (player1_name: string, player1_user_id: string | null) =>
  opponentOf({ ...testRecord(), your_index: 0, player1_name, player1_user_id }, BOTS);

it("calls computers by their level, those with an account by their name, and people by theirs", () => {
  expect(against("Easy", null)).toBe("Easy computer");
  expect(against("hard", null)).toBe("Hard computer");
  expect(against("ai:Owl", "ai:Owl")).toBe("Owl");
  expect(against("easy", "u7")).toBe("easy");
  expect(against("Guest", null)).toBe("Guest");
});
