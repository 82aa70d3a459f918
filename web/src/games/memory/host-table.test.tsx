// Memory at the host's table: from one's own side, with hints, and without taking back.

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { PlayStep, PlayTable } from "@/core/wire";
import { asTable } from "@/host/as-table";
import { type Held, NOTHING } from "@/host/held";
import { step, table } from "@/host/test-table";
import { Toasts } from "@/ui/toast";
import { HostTable } from "./host-table";
import hosted from "./hosted";

afterEach(cleanup);

const HIDDEN = [0, 1, 2, 3].map((index) => ({ index, state: "hidden" }));
const view = (changes: object = {}) => ({
  seat: 1,
  options: { rows: 2, cols: 2, countdown_show_ms: 30_000 },
  cards: HIDDEN,
  turn: 1,
  phase: "first_flip",
  flipped: [],
  scores: [2, 1],
  hand: [{ power_up_id: "clairvoyance", count: 1 }],
  highlight: [],
  turn_ends_at: null,
  ...changes,
});
const PLAYER = { user_id: null, rating: null, here: true };
const flips = HIDDEN.map(({ index }) => ({ type: "flip", index }));

/** Anna sits at the server's seat 1. */
function show(seen: object = {}, changes: Partial<PlayTable> = {}, held: Partial<Held> = {}) {
  const told = table({
    mode: "ai",
    seat: 1,
    seats: [1],
    turn: 1,
    view: view(seen),
    legal: flips,
    players: [
      { ...PLAYER, name: "Thalia", bot: "Thalia" },
      { ...PLAYER, name: "Anna", bot: null },
    ],
    help: ["hint"],
    ...changes,
  });
  const say = vi.fn(() => true);
  const choose = vi.fn();
  const asking = { held: { ...NOTHING, ...held }, say, choose, seek: vi.fn() };
  render(
    <QueryClientProvider client={new QueryClient()}>
      <HostTable
        title="Memory"
        table={told}
        shown={asTable(told, hosted, asking)}
        last={held.last ?? null}
        status="open"
      />
      <Toasts />
    </QueryClientProvider>,
  );
  return { say, choose };
}

const card = (name: string) => screen.getByRole("button", { name });

it("turns cards over and uses power-ups in the host's words", () => {
  const { choose } = show();
  fireEvent.click(screen.getByRole("button", { name: "No more tips" }));
  fireEvent.click(card("Row 2, column 1: face down"));
  expect(choose).toHaveBeenLastCalledWith({ type: "flip", index: 2 });
  fireEvent.click(screen.getByRole("button", { name: /^Clairvoyance/ }));
  screen.getByText(/^Pick a card for Clairvoyance/);
  fireEvent.click(card("Row 1, column 2: face down"));
  expect(choose).toHaveBeenLastCalledWith({
    type: "use_power_up",
    power_up_id: "clairvoyance",
    card_index: 1,
  });
});

it("shows each one's pairs on the right side, wherever the server seats one", () => {
  show();
  expect(within(screen.getByRole("region", { name: "Anna" })).getByText("1 pair")).toBeTruthy();
  expect(within(screen.getByRole("region", { name: "Thalia" })).getByText("2 pairs")).toBeTruthy();
});

it("advises by a mark and the card's place, and takes nothing back", () => {
  const action = { type: "flip", index: 3 };
  const { say } = show(
    {},
    {},
    {
      hint: {
        type: "hint",
        match: "m1",
        version: 2,
        value: 0,
        exact: false,
        note: "",
        action,
      },
    },
  );
  screen.getByText("Try row 2, column 2.");
  expect(document.querySelector("[data-advised=true]")?.getAttribute("data-card")).toBe("3");
  expect(screen.queryByRole("button", { name: "Take back" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Hint" }));
  expect(say).toHaveBeenLastCalledWith({ type: "hint", match: "m1" });
});

it("tells what was turned over, who used what, and whose time ran out", () => {
  const who = (seat: number) => (seat === 1 ? "You" : "Thalia");
  const cards = HIDDEN.map((each) => (each.index === 1 ? { ...each, pair_id: 4 } : each));
  const turned = { by: 0, action: { type: "flip", index: 1 }, view: view({ cards }) } as const;
  expect(hosted.told(step(turned), who)).toBe("Thalia: Moon.");
  const found = [{ type: "pair_found", seat: 0, pair_id: 4 }];
  expect(hosted.told(step({ ...turned, events: found }), who)).toBe("Thalia: Moon, a pair.");
  const happened = (...events: PlayStep["events"]) =>
    show({}, {}, { last: step({ by: null, action: null, events }) });
  happened({ type: "power_up_used", seat: 0, power_up_id: "chaos", name: "Chaos" });
  screen.getByText("Thalia used Chaos.");
  cleanup();
  happened({ type: "turn_timed_out", seat: 1 });
  screen.getByText("Your time is up. You lost the turn.");
});

it("ends from one's own side", () => {
  const rating_changes: [null, null] = [null, null];
  const result = { winner: 1, reason: "completed", scores: [2, 6], rating_changes };
  show({}, { status: "finished", turn: null, legal: [], help: [], result: result as never });
  const ended = within(screen.getByRole("region", { name: "Result" }));
  ended.getByRole("heading", { name: "You won" });
  ended.getByText("6 to 2 pairs.");
});
