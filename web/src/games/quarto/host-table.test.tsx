// Quarto at the host's table: what one does there is said in the host's words, and advice is marked.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { PlayTable } from "@/core/wire";
import { asTable } from "@/host/as-table";
import { type Held, NOTHING } from "@/host/held";
import { step, table } from "@/host/test-table";
import { HostTable } from "./host-table";
import hosted from "./hosted";

afterEach(cleanup);

const FULL = { board: Array(16).fill(null), turn: 0, selected: null, line: null, history: [] };
const view = (changes: object = {}) => ({
  seat: 0,
  state: { ...FULL, final_call_until: null, ...changes },
});
const PLAYER = { user_id: null, rating: null, here: true };

function show(state: object, changes: Partial<PlayTable> = {}, held: Partial<Held> = {}) {
  const told = table({
    mode: "ai",
    view: view(state),
    legal: [{ type: "select", piece: 0 }],
    players: [
      { ...PLAYER, name: "Anna", bot: null },
      { ...PLAYER, name: "Fern", bot: "easy" },
    ],
    help: ["hint", "takeback"],
    ...changes,
  });
  const say = vi.fn(() => true);
  const choose = vi.fn();
  const asking = { held: { ...NOTHING, ...held }, say, choose, seek: vi.fn() };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <HostTable
        title="Quarto"
        table={told}
        shown={asTable(told, hosted, asking)}
        last={held.last ?? null}
        status="open"
      />
    </QueryClientProvider>,
  );
  return { say, choose };
}

it("gives, places and calls in the host's words; a call is open whether there is a line or not", () => {
  const { choose } = show({});
  fireEvent.click(screen.getByRole("button", { name: "Short, light, round, solid" }));
  expect(choose).toHaveBeenLastCalledWith({ type: "select", piece: 0 });
  fireEvent.click(screen.getByRole("button", { name: /Call Quarto/ }));
  expect(choose).toHaveBeenLastCalledWith({ type: "call" });
  cleanup();
  const placing = show({ selected: 3 });
  fireEvent.click(screen.getByRole("gridcell", { name: "Row 2, column 3, empty" }));
  expect(placing.choose).toHaveBeenLastCalledWith({ type: "place", position: 6 });
});

it("marks what was advised: a piece, a place, or the call", () => {
  const hint = { type: "hint", match: "m1", version: 2, value: 1, exact: true } as const;
  const advise = (action: object, note = "") => ({ hint: { ...hint, action, note } });
  show({}, {}, advise({ type: "select", piece: 5 }, "won"));
  screen.getByText("Try the short, dark, round, hollow piece: won.");
  expect(document.querySelector(".q-advised")?.getAttribute("data-in-tray")).toBe("5");
  cleanup();
  show({ selected: 3 }, {}, advise({ type: "place", position: 6 }));
  screen.getByText("Try row 2, column 3.");
  expect(document.querySelector(".q-advised")?.getAttribute("data-position")).toBe("6");
  cleanup();
  show({}, {}, advise({ type: "call" }));
  expect(screen.getByRole("button", { name: /Call Quarto/ }).className).toContain("glowing");
});

it("is helped in practice only", () => {
  const { say } = show({});
  fireEvent.click(screen.getByRole("button", { name: "Take back" }));
  expect(say).toHaveBeenLastCalledWith({ type: "takeback", match: "m1" });
  cleanup();
  show({}, { help: [] });
  expect(screen.queryByRole("button", { name: "Take back" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Hint" })).toBeNull();
});

it("tells a step by what was done, and the end by the board", () => {
  const history = [["select", 1, 3, null, 0]];
  const told = hosted.told(step({ by: 1, view: view({ history }) }), (seat) =>
    seat === 0 ? "You" : "Fern",
  );
  expect(told).toBe("Fern hands you the short, dark, square, solid piece.");
  const board = [8, 9, 12, 15, ...Array(12).fill(null)];
  const line = [0, 1, 2, 3];
  const rating_changes: [null, null] = [null, null];
  const result = { winner: 0, reason: "quarto", scores: null, rating_changes } as const;
  show({ board, line }, { status: "finished", turn: null, legal: [], result });
  screen.getByRole("heading", { name: "Quarto! You win" });
  screen.getByText("All four are tall.");
});
