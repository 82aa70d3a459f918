// The board for hands, keys and screen readers: a grid of named cells over the holes.
import { type KeyboardEvent, type PointerEvent, type RefObject, useState } from "react";
import { usePageKeys } from "@/table/use-page-keys";
import { COLUMNS, ROWS, type Side } from "./sides";

export interface Place {
  row: number;
  column: number;
}

interface CellsProps {
  ref: RefObject<HTMLTableElement | null>;
  sides: readonly (Side | undefined)[];
  lastMove: Place | null;
  winning: readonly Place[];
  /** The column came under the pointer or the focus; null when that has left. */
  onChoose: (column: number | null) => void;
  onDrop: (column: number) => void;
}

const rows = Array.from({ length: ROWS }, (_, row) => row);
const columns = Array.from({ length: COLUMNS }, (_, column) => column);
const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, -COLUMNS],
  End: [0, COLUMNS],
};

const within = (value: number, size: number): number => Math.max(0, Math.min(size - 1, value));
const isAt = (place: Place, row: number, column: number): boolean =>
  place.row === row && place.column === column;

export function Cells(props: CellsProps) {
  const { ref, sides, lastMove, winning, onChoose, onDrop } = props;
  // The one cell that Tab leads to.
  const [at, setAt] = useState<Place>({ row: 0, column: Math.floor(COLUMNS / 2) });

  const name = (row: number, column: number): string => {
    const side = sides[row * COLUMNS + column];
    const parts = [`Column ${column + 1}, row ${ROWS - row}`, side ?? "empty"];
    if (lastMove && isAt(lastMove, row, column)) parts.push("last move");
    if (winning.some((place) => isAt(place, row, column))) parts.push("winning four");
    return parts.join(", ");
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) {
      const next = {
        row: within(at.row + step[0], ROWS),
        column: within(at.column + step[1], COLUMNS),
      };
      setAt(next);
      cellIn(ref.current, next)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      onDrop(at.column);
    } else return;
    event.preventDefault();
  };
  const point = (event: PointerEvent, column: number) => {
    if (event.pointerType !== "touch") onChoose(column);
  };

  return (
    <table
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is operated cell by cell is a grid
      role="grid"
      aria-label="Connect 4 board. Arrows choose a column, Enter drops. Keys 1 to 7 drop at once."
      className="absolute inset-0 size-full table-fixed border-collapse touch-manipulation"
      onPointerLeave={() => onChoose(null)}
      onBlur={() => onChoose(null)}
    >
      <tbody>
        {rows.map((row) => (
          <tr key={row}>
            {columns.map((column) => (
              <td
                key={column}
                // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: and this is one of its cells
                role="gridcell"
                aria-label={name(row, column)}
                data-place={`${row}-${column}`}
                tabIndex={isAt(at, row, column) ? 0 : -1}
                className="c4-cell cursor-pointer p-0"
                onFocus={() => {
                  setAt({ row, column });
                  onChoose(column);
                }}
                onPointerEnter={(event) => point(event, column)}
                onKeyDown={onKeyDown}
                onClick={() => onDrop(column)}
              />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function cellIn(grid: HTMLElement | null, { row, column }: Place): HTMLElement | null {
  return grid?.querySelector<HTMLElement>(`[data-place="${row}-${column}"]`) ?? null;
}

/** Keys 1 to 7 drop from anywhere on the page; arrows bring the focus to the board. */
export function useBoardKeys(
  grid: RefObject<HTMLTableElement | null>,
  drop: (column: number) => void,
) {
  usePageKeys({
    onKey: (key) => /^[1-7]$/.test(key) && drop(Number(key) - 1),
    arrowsTo: () => grid.current?.querySelector<HTMLElement>('td[tabindex="0"]'),
  });
}
