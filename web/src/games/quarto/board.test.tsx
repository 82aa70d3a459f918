// The board and the tray by keyboard, by touch, and as a screen reader reads them.
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createRef } from "react";
import { describe, expect, it, vi } from "vitest";
import { Board } from "./board";
import { Pieces } from "./pieces";
import { testGame } from "./test-room";
import { TRAY_ORDER } from "./traits";
import type { Game } from "./wire";

const EMPTY = Array(16).fill(null);
const EVERYWHERE = EMPTY.map((_, position) => position);

/** With a piece in hand that may be placed there. */
function showBoard(open: readonly number[], changes: Partial<Game> = {}) {
  const act = vi.fn();
  render(
    <Board
      ref={createRef<HTMLTableElement>()}
      view={testGame({ phase: "placing", selectedPiece: 3, ...changes })}
      legal={open.map((position) => ({ type: "PLACE_PIECE", position }))}
      seat={0}
      turn={0}
      act={act}
      chosen={null}
    />,
  );
  return () => act.mock.calls.map(([move]) => move.position);
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
    advised: null,
    onLift,
    onSelect,
    ...changes,
  };
  render(<Pieces {...props} />);
  return { onSelect, onLift };
}

describe("the board", () => {
  it("has four rows of four named places", () => {
    showBoard([], {
      board: { positions: [15, ...EMPTY.slice(1)] },
      history: [{ type: "place", player: 0, pieceId: 15, position: 0, timestamp: 0 }],
    });
    const rows = within(screen.getByRole("grid")).getAllByRole("row");
    expect(rows.map((row) => within(row).getAllByRole("gridcell").length)).toEqual([4, 4, 4, 4]);
    const name = "Row 1, column 1, tall, dark, square, hollow, placed last";
    expect(screen.getByRole("gridcell", { name })).toBeTruthy();
    expect(screen.getByRole("gridcell", { name: "Row 4, column 2, empty" })).toBeTruthy();
  });

  it("is walked over by arrows and places by Enter and Space", async () => {
    const placed = showBoard(EVERYWHERE);
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard("{ArrowRight}{ArrowDown}{Enter}{End}{ArrowRight} ");
    expect(placed()).toEqual([10, 11]);
  });

  it("keeps to the places the server left open", async () => {
    const placed = showBoard([7]);
    const user = userEvent.setup();
    await user.click(screen.getByRole("gridcell", { name: /^Row 1, column 1/ }));
    expect(placed()).toEqual([]);
    await user.click(screen.getByRole("gridcell", { name: /^Row 2, column 4/ }));
    expect(placed()).toEqual([7]);
  });

  it("names the four that won", () => {
    showBoard([], { board: { positions: Array(16).fill(3) }, winningLine: [0, 5, 10, 15] });
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
});
