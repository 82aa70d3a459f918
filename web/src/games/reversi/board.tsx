// The board: lays the discs it is told of, turns over those that change, and says where one is placed.
import "./board.css";
import { clsx } from "clsx";
import { type CSSProperties, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { play } from "@/core/sound";
import type { Seat } from "@/core/wire";
import type { BoardProps } from "@/table/kit";
import { sayWhyNot } from "@/table/why-not";
import { cellAt, cellName, columnOf, distance, EIGHT, LETTERS, rowOf } from "./cells";
import { DiscPaints, Face } from "./disc";
import type { Action, View } from "./hosted";

const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, -7],
  End: [0, 7],
};
const within = (value: number): number => Math.max(0, Math.min(7, value));

/** Discs turn over one after the other, away from the one that was placed. */
const FIRST_FLIP_MS = 160;
const NEXT_FLIP_MS = 80;

const SIDES = ["black", "cream"] as const;
const EMPTY = ".";

export function Board(props: BoardProps<View, Action>) {
  const { view, legal, turn, act, chosen, advice } = props;
  const { cells, last } = view;
  const grid = useRef<HTMLTableElement>(null);
  // The one cell that Tab leads to.
  const [at, setAt] = useState(19);
  const before = useBefore(cells);
  useSounds(cells, before);

  const open = legal.flatMap((action) => (action.type === "place" ? [action.cell] : []));
  const place = (cell: number) => {
    if (chosen === null && open.includes(cell)) act({ type: "place", cell });
    else sayWhyNot(props, whyNot(cells, cell));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) {
      const next = cellAt(within(rowOf(at) + step[0]), within(columnOf(at) + step[1]));
      setAt(next);
      grid.current?.querySelector<HTMLElement>(`[data-cell="${next}"]`)?.focus();
    } else if (event.key === "Enter" || event.key === " ") place(at);
    else return;
    event.preventDefault();
  };
  const cellIn = (cell: number) => {
    const mark = cells[cell] ?? EMPTY;
    const may = open.includes(cell);
    return (
      <td
        key={cell}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a cell of the grid
        role="gridcell"
        aria-label={named(cell, mark, may, cell === last)}
        data-cell={cell}
        tabIndex={cell === at ? 0 : -1}
        className={clsx(
          "rv-cell",
          may && chosen === null && "rv-open",
          advice?.type === "place" && advice.cell === cell && "rv-advised",
        )}
        onFocus={() => setAt(cell)}
        onKeyDown={onKeyDown}
        onClick={() => place(cell)}
      >
        {mark !== EMPTY && (
          // Another face up is another disc to the page, so that it turns over.
          <Lying
            key={mark}
            side={mark === "0" ? 0 : 1}
            came={came(before, cells, cell)}
            cell={cell}
            last={last}
          />
        )}
        {may && turn !== null && <Ghost side={turn} />}
      </td>
    );
  };

  return (
    <div className="rv-board select-none">
      <DiscPaints />
      <div aria-hidden="true" className="rv-letters">
        {[...LETTERS].map((letter) => (
          <span key={letter}>{letter}</span>
        ))}
      </div>
      <div aria-hidden="true" className="rv-numbers">
        {EIGHT.map((row) => (
          <span key={row}>{row + 1}</span>
        ))}
      </div>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is operated cell by cell is a grid
        role="grid"
        aria-label="Reversi board. Arrows choose a cell, Enter places a disc."
        className="rv-plate touch-manipulation"
      >
        <tbody>
          {EIGHT.map((row) => (
            <tr key={row}>{EIGHT.map((column) => cellIn(cellAt(row, column)))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function named(cell: number, mark: string, may: boolean, last: boolean): string {
  const parts = [cellName(cell), mark === EMPTY ? "empty" : SIDES[mark === "0" ? 0 : 1]];
  if (may) parts.push("you may place here");
  if (last) parts.push("placed last");
  return parts.join(", ");
}

function whyNot(cells: string, cell: number): string {
  return cells[cell] === EMPTY
    ? `A disc on ${cellName(cell)} would enclose none of theirs.`
    : `${cellName(cell)} is taken. Choose one of the marked cells.`;
}

/** The position before this one; the same at first, as then nothing has moved. */
function useBefore(cells: string): string {
  const [shown, setShown] = useState({ cells, before: cells });
  if (shown.cells === cells) return shown.before;
  setShown({ cells, before: shown.cells });
  return shown.cells;
}

type Coming = "placed" | "turned" | "stays";

function came(before: string, cells: string, cell: number): Coming {
  if (before[cell] === cells[cell]) return "stays";
  return before[cell] === EMPTY ? "placed" : "turned";
}

interface LyingProps {
  side: Seat;
  came: Coming;
  cell: number;
  last: number | null;
}

function Lying({ side, came, cell, last }: LyingProps) {
  const from = last ?? cell;
  const style = {
    "--delay": `${FIRST_FLIP_MS + (distance(from, cell) - 1) * NEXT_FLIP_MS}ms`,
    // Turned over as by a hand that comes from the disc just placed.
    "--x": rowOf(from) - rowOf(cell),
    "--y": columnOf(cell) - columnOf(from),
  } as CSSProperties;
  return (
    <span className={clsx("rv-disc", `rv-${came}`)} style={style}>
      <span className="rv-body">
        <DiscFace side={side} className="rv-up" />
        <span className={`rv-edge rv-edge-${SIDES[side]}`} />
        <span className={`rv-edge rv-edge-low rv-edge-${SIDES[side === 0 ? 1 : 0]}`} />
        {came === "turned" && <DiscFace side={side === 0 ? 1 : 0} className="rv-down" />}
      </span>
      {cell === last && <span className="rv-last" />}
    </span>
  );
}

function DiscFace({ side, className }: { side: Seat; className: string }) {
  return (
    <svg aria-hidden="true" viewBox="-50 -50 100 100" className={className}>
      <Face side={side} />
    </svg>
  );
}

/** Where a disc may go: a small print of it, and all of it under the pointer. */
function Ghost({ side }: { side: Seat }) {
  return (
    <span className="rv-ghost">
      <DiscFace side={side} className="rv-ghost-disc" />
    </span>
  );
}

const LOUDEST = 4;

function useSounds(cells: string, before: string): void {
  const told = useRef(cells);
  useEffect(() => {
    if (told.current === cells) return;
    told.current = cells;
    const turned = [...cells].filter((_, cell) => came(before, cells, cell) === "turned").length;
    play("clack", { delayMs: 60 });
    for (let flip = 0; flip < Math.min(turned, LOUDEST); flip++) {
      play("flip", { delayMs: FIRST_FLIP_MS + flip * NEXT_FLIP_MS, loudness: 0.5 });
    }
  }, [cells, before]);
}
