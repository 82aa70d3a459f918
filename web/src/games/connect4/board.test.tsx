// The board by keyboard, by touch, and as a screen reader reads it.
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";
import { Board, type View } from "./board";
import { EMPTY } from "./test-game";

const ALL = [0, 1, 2, 3, 4, 5, 6];
/** Red and yellow in the middle of the bottom rows, yellow on top. */
const TWO = `${"0".repeat(31)}2${"0".repeat(6)}1${"0".repeat(3)}`;

type Shown = Partial<View> &
  Pick<Partial<Parameters<typeof Board>[0]>, "legal" | "seat" | "chosen">;

function show(changes: Shown = {}) {
  const act = vi.fn();
  const props = ({ legal = ALL, seat = 0, chosen = null, ...view }: Shown) => ({
    view: { board: EMPTY, lastMove: null, winning: [], ...view },
    legal,
    seat,
    turn: 0 as const,
    act,
    chosen,
  });
  const view = render(<Board {...props(changes)} />);
  return {
    act,
    again: (more: Shown) => view.rerender(<Board {...props({ ...changes, ...more })} />),
  };
}

const cell = (name: string) => screen.getByRole("gridcell", { name });

describe("the board as a grid", () => {
  it("has six rows of seven named cells, counted from the bottom left", () => {
    show({ board: TWO, lastMove: { row: 4, column: 3 } });
    const rows = within(screen.getByRole("grid")).getAllByRole("row");
    expect(rows).toHaveLength(6);
    for (const row of rows) expect(within(row).getAllByRole("gridcell")).toHaveLength(7);
    expect(cell("Column 4, row 1, red")).toBeTruthy();
    expect(cell("Column 4, row 2, yellow, last move")).toBeTruthy();
    expect(cell("Column 1, row 6, empty")).toBeTruthy();
  });

  it("names the four that won", () => {
    show({
      board: `${"0".repeat(35)}1111000`,
      winning: [0, 1, 2, 3].map((column) => ({ row: 5, column })),
      legal: [],
    });
    expect(screen.getAllByRole("gridcell", { name: /winning four/ })).toHaveLength(4);
    expect(screen.getAllByTestId("winning-cell")).toHaveLength(4);
  });

  it("is one stop for Tab", async () => {
    show();
    const user = userEvent.setup();
    await user.tab();
    expect(document.activeElement).toBe(cell("Column 4, row 6, empty"));
    await user.tab();
    expect(document.activeElement).toBe(document.body);
  });
});

describe("keys", () => {
  it("1 to 7 drop at once, wherever the focus is", async () => {
    const { act } = show();
    const user = userEvent.setup();
    await user.keyboard("1");
    await user.keyboard("7");
    expect(act.mock.calls).toEqual([[0], [6]]);
  });

  it("are left alone while someone writes, or means something else", async () => {
    const { act } = show();
    render(<input aria-label="Name" />);
    const user = userEvent.setup();
    await user.type(screen.getByLabelText("Name"), "1234");
    await user.click(document.body);
    await user.keyboard("{Control>}3{/Control}8");
    expect(act).not.toHaveBeenCalled();
  });

  it("arrows move over the cells and stop at the edge, Enter and Space drop", async () => {
    const { act } = show();
    const user = userEvent.setup();
    await user.tab();
    await user.keyboard("{ArrowRight}{ArrowRight}{ArrowDown}");
    expect(document.activeElement).toBe(cell("Column 6, row 5, empty"));
    await user.keyboard("{Enter}{End}{ArrowRight} {Home}{ArrowUp}{ArrowUp}{Enter}");
    expect(act.mock.calls).toEqual([[5], [6], [0]]);
  });

  it("an arrow brings the focus to the board", async () => {
    show();
    await userEvent.setup().keyboard("{ArrowLeft}");
    expect(document.activeElement).toBe(cell("Column 4, row 6, empty"));
  });
});

describe("choosing", () => {
  it("works by a press anywhere in a column", async () => {
    const { act } = show();
    await userEvent.setup().click(cell("Column 3, row 1, empty"));
    expect(act.mock.calls).toEqual([[2]]);
  });

  it("keeps to what the server allows", async () => {
    const { act } = show({ legal: [1, 2] });
    const user = userEvent.setup();
    await user.keyboard("1");
    await user.click(cell("Column 7, row 1, empty"));
    expect(act).not.toHaveBeenCalled();
    await user.keyboard("2");
    expect(act).toHaveBeenCalledOnce();
  });

  it("does nothing while it is not one's turn", async () => {
    const { act } = show({ legal: [] });
    const user = userEvent.setup();
    await user.keyboard("4");
    await user.click(cell("Column 4, row 1, empty"));
    expect(act).not.toHaveBeenCalled();
    expect(screen.queryByTestId("chip-in-hand")).toBeNull();
  });

  it("shows the chip in hand above the column under the pointer", async () => {
    show();
    expect(screen.getByTestId("chip-in-hand").style.left).toBe(`${(100 * 3) / 7}%`);
    await userEvent.setup().hover(cell("Column 6, row 2, empty"));
    expect(screen.getByTestId("chip-in-hand").style.left).toBe(`${(100 * 5) / 7}%`);
  });

  it("holds the chip where it was chosen until the server answers", () => {
    show({ chosen: 1 });
    expect(screen.getByTestId("chip-in-hand").style.left).toBe(`${100 / 7}%`);
  });

  it("shows a spectator no chip", () => {
    show({ seat: null });
    expect(screen.queryByTestId("chip-in-hand")).toBeNull();
  });
});
