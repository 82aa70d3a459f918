// The board by keyboard, by touch, and as a screen reader reads it.
import { render, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Toasts } from "@/ui/toast";
import { Board } from "./board";
import type { View } from "./hosted";

const START = `${".".repeat(24)}...10......01...${".".repeat(24)}`;

function shown(changes: Partial<View> = {}): View {
  return {
    seat: 0,
    cells: START,
    counts: [2, 2],
    turn: 0,
    last: null,
    away_until: [null, null],
    may_place: [19, 26, 37, 44],
    ...changes,
  };
}

function show(changes: Partial<Parameters<typeof Board>[0]> = {}) {
  const act = vi.fn();
  const props = {
    view: shown(),
    legal: [19, 26, 37, 44].map((cell) => ({ type: "place" as const, cell })),
    seat: 0 as const,
    turn: 0 as const,
    act,
    chosen: null,
    ...changes,
  };
  const view = render(<Board {...props} />);
  return { act, again: (more: typeof changes) => view.rerender(<Board {...props} {...more} />) };
}

const cell = (name: string) => screen.getByRole("gridcell", { name });

describe("the board as a grid", () => {
  it("has eight rows of eight cells, named as players name them", () => {
    show();
    const rows = within(screen.getByRole("grid")).getAllByRole("row");
    expect(rows).toHaveLength(8);
    for (const each of rows) expect(within(each).getAllByRole("gridcell")).toHaveLength(8);
    expect(cell("d4, cream")).toBeTruthy();
    expect(cell("e4, black")).toBeTruthy();
    expect(cell("a1, empty")).toBeTruthy();
    expect(screen.getAllByRole("gridcell", { name: /you may place here/ })).toHaveLength(4);
  });

  it("says what was placed last", () => {
    const rows = [...START];
    for (const each of [44, 36]) rows[each] = "0";
    show({ view: shown({ cells: rows.join(""), last: 44 }), legal: [], turn: 1 });
    expect(cell("e6, black, placed last")).toBeTruthy();
  });

  it("turns over what changes, and nothing at first", () => {
    const { again } = show();
    expect(document.querySelectorAll(".rv-turned, .rv-placed")).toHaveLength(0);
    const rows = [...START];
    for (const each of [44, 36]) rows[each] = "0";
    const after = shown({ cells: rows.join(""), last: 44, turn: 1 });
    again({ view: after, legal: [], turn: 1 });
    expect(cell("e6, black, placed last").querySelector(".rv-placed")).toBeTruthy();
    expect(cell("e5, black").querySelector(".rv-turned")).toBeTruthy();
    expect(document.querySelectorAll(".rv-turned, .rv-placed")).toHaveLength(2);
  });
});

describe("choosing", () => {
  it("is one stop for Tab; arrows stop at the edge, Enter and Space place", async () => {
    const { act } = show();
    const user = userEvent.setup();
    await user.tab();
    expect(document.activeElement).toBe(cell("d3, empty, you may place here"));
    await user.keyboard("{Enter}{ArrowDown}{ArrowLeft} ");
    expect(act.mock.calls).toEqual([[{ type: "place", cell: 19 }], [{ type: "place", cell: 26 }]]);
    await user.keyboard("{Home}{ArrowLeft}{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}");
    expect(document.activeElement).toBe(cell("a1, empty"));
    await user.tab();
    expect(document.activeElement).toBe(document.body);
  });

  it("works by one press", async () => {
    const { act } = show();
    await userEvent.setup().click(cell("f5, empty, you may place here"));
    expect(act.mock.calls).toEqual([[{ type: "place", cell: 37 }]]);
  });

  it("waits for what was chosen before", async () => {
    const { act } = show({ chosen: { type: "place", cell: 26 } });
    await userEvent.setup().click(cell("f5, empty, you may place here"));
    expect(act).not.toHaveBeenCalled();
  });
});

describe("a press that cannot be taken says why", () => {
  beforeEach(() => void render(<Toasts />));

  it.each([
    ["a1, empty", {}, "A disc on a1 would enclose none of theirs."],
    ["d4, cream", {}, "d4 is taken. Choose one of the marked cells."],
    ["a1, empty", { turn: 1 as const, legal: [] }, "It is not your turn yet."],
  ])("at %s", async (name, changes, words) => {
    const { act } = show(changes);
    await userEvent.setup().click(cell(name));
    expect(screen.getByText(words)).toBeTruthy();
    expect(act).not.toHaveBeenCalled();
  });
});
