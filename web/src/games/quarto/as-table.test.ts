// What the table is told of a room of Quarto.
import { expect, it } from "vitest";
import { asTable } from "./as-table";
import { emptyRoom, type Room } from "./room";
import { testGame } from "./test-room";
import type { Game } from "./wire";

function seen(changes: Partial<Game>, seat: 0 | 1 | null, room: Partial<Room> = {}) {
  const held = {
    room: { ...emptyRoom(null), ...room },
    seat,
    pending: null,
    say: () => undefined,
  };
  return asTable(testGame(changes), held, null);
}

it("offers pieces, places and the call to whoever may, as actions", () => {
  expect(seen({}, 0).legal).toHaveLength(17);
  expect(seen({}, 1).legal).toEqual([]);
  const placing = seen({ phase: "placing", selectedPiece: 3 }, 0).legal;
  expect(new Set(placing.map(({ type }) => type))).toEqual(new Set(["PLACE_PIECE", "CALL_QUARTO"]));
});

it("gives both seats to two at one device, and calls them by name", () => {
  const table = seen({ mode: "local" }, 0);
  expect(table.seats).toEqual([0, 1]);
  expect(table.task).toBe("Anna chooses a piece for Bert.");
  expect(seen({}, 0).task).toBe("Your turn: choose a piece for Bert.");
  expect(seen({}, null).seats).toEqual([]);
});

it("says until when somebody may return", () => {
  const away = { away: [null, 5000] } as const;
  expect(seen({}, 0, away).players.map(({ presence }) => presence)).toEqual([
    null,
    { awayUntil: 5000 },
  ]);
  expect(seen({}, 0).players[1].presence).toBe("here");
});

it("ends with the line that was called, or with who left", () => {
  const positions = [8, 9, 12, 15, ...Array(12).fill(null)];
  const won = { status: "finished", winner: 0, board: { positions } } as const;
  expect(seen({ ...won, winningLine: [0, 1, 2, 3] }, 0).ended).toMatchObject({
    title: "Quarto! You win",
    reason: "All four are tall.",
  });
  const left = seen({ ...won, winningLine: null }, 1, { left: "forfeit" }).ended;
  expect(left).toMatchObject({ title: "Anna wins", reason: "You left the table." });
});
