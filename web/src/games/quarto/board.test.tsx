// The board and the tray by keyboard, by touch, and as a screen reader reads them.
import { cleanup, render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef } from "react";
import { describe, expect, it, vi } from "vitest";
import { TooltipProvider } from "@/ui/tooltip";
import { Board } from "./board";
import { Pieces } from "./pieces";
import { TRAY_ORDER } from "./traits";

const EMPTY = Array(16).fill(null);
const EVERYWHERE = EMPTY.map((_, position) => position);

function showBoard(changes: Partial<Parameters<typeof Board>[0]> = {}) {
  const onPlace = vi.fn();
  const props = {
    ref: createRef<HTMLTableElement>(),
    positions: EMPTY,
    open: EVERYWHERE,
    inHand: 3,
    held: null,
    last: null,
    winning: [],
    onPlace,
    ...changes,
  };
  render(
    <TooltipProvider>
      <Board {...props} />
    </TooltipProvider>,
  );
  return onPlace;
}

function showTray(changes: Partial<Parameters<typeof Pieces>[0]> = {}) {
  const onSelect = vi.fn();
  const onLift = vi.fn();
  const props = {
    ref: createRef<HTMLDivElement>(),
    left: new Set(TRAY_ORDER),
    open: TRAY_ORDER,
    lifted: null,
    held: null,
    onLift,
    onSelect,
    ...changes,
  };
  render(
    <TooltipProvider>
      <Pieces {...props} />
    </TooltipProvider>,
  );
  return { onSelect, onLift };
}

describe("the board", () => {
  it("has four rows of four named places", () => {
    showBoard({ positions: [15, ...EMPTY.slice(1)], last: 0, open: [] });
    const rows = within(screen.getByRole("grid")).getAllByRole("row");
    expect(rows.map((row) => within(row).getAllByRole("gridcell").length)).toEqual([4, 4, 4, 4]);
    const name = "Row 1, column 1, tall, dark, square, hollow, placed last";
    expect(screen.getByRole("gridcell", { name })).toBeTruthy();
    expect(screen.getByRole("gridcell", { name: "Row 4, column 2, empty" })).toBeTruthy();
  });

  it("is walked over by arrows and places by Enter and Space", async () => {
    const onPlace = showBoard();
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard("{ArrowRight}{ArrowDown}{Enter}{End}{ArrowRight} ");
    expect(onPlace.mock.calls).toEqual([[10], [11]]);
  });

  it("keeps to the places the server left open", async () => {
    const onPlace = showBoard({ open: [7] });
    const user = userEvent.setup();
    await user.click(screen.getByRole("gridcell", { name: /^Row 1, column 1/ }));
    expect(onPlace).not.toHaveBeenCalled();
    await user.click(screen.getByRole("gridcell", { name: /^Row 2, column 4/ }));
    expect(onPlace.mock.calls).toEqual([[7]]);
  });

  it("names the four that won", () => {
    showBoard({ positions: Array(16).fill(3), winning: [0, 5, 10, 15], open: [], inHand: null });
    expect(screen.getAllByRole("gridcell", { name: /winning line/ })).toHaveLength(4);
  });
});

describe("the tray", () => {
  it("hands over by click and by key, and is one stop for Tab", async () => {
    const { onSelect } = showTray();
    const user = userEvent.setup();
    await user.click(screen.getByRole("button", { name: "Short, light, round, hollow" }));
    await user.tab();
    expect(document.activeElement).toBe(document.body);
    await user.tab();
    await user.keyboard("{Enter}");
    expect(onSelect.mock.calls).toEqual([[4], [4]]);
  });

  it("lifts at the first touch and hands over at the second", async () => {
    const tap = (name: string) =>
      userEvent.setup().pointer({ keys: "[TouchA]", target: screen.getByRole("button", { name }) });
    const first = showTray();
    await tap("Tall, dark, square, solid");
    expect(first.onLift.mock.calls).toEqual([[11]]);
    expect(first.onSelect).not.toHaveBeenCalled();
    cleanup();
    const second = showTray({ lifted: 11 });
    await tap("Tall, dark, square, solid");
    expect(second.onSelect.mock.calls).toEqual([[11]]);
  });

  it("gives nothing when it is not one's turn", async () => {
    const { onSelect, onLift } = showTray({ open: [] });
    await userEvent
      .setup()
      .click(screen.getByRole("button", { name: /^Tall, dark, square, solid/ }));
    expect(onSelect).not.toHaveBeenCalled();
    expect(onLift).not.toHaveBeenCalled();
  });
});
