// The board: draws the chips it is told of behind the grid, and says which column was chosen.
import "./board.css";
import { clsx } from "clsx";
import { m } from "motion/react";
import { type CSSProperties, useEffect, useRef, useState } from "react";
import { useCalm } from "@/core/preferences";
import { play } from "@/core/sound";
import type { BoardProps } from "@/table/kit";
import { sayWhyNot } from "@/table/why-not";
import { MotionFeatures } from "@/ui/motion";
import { Cells, type Place, useBoardKeys } from "./cells";
import { Chip } from "./chip";
import { columnOf, HEIGHT, Plate, PlateBack, SHAPE, VIEW_BOX, WIDTH } from "./plate";
import { COLUMNS, ROWS, SIDES, type Side } from "./sides";

export const BOARD_RATIO = WIDTH / HEIGHT;

export interface View {
  /** 42 characters, top row first. */
  board: string;
  lastMove: Place | null;
  winning: readonly Place[];
}

/** The chip waits this many cells above the top row. */
const HAND = 1.05;
const FALL_MS_PER_ROOT_CELL = 135;
const BOUNCE_MS = 130;

const sideOfMark = (mark: string): Side | undefined =>
  mark === "1" ? "red" : mark === "2" ? "yellow" : undefined;

/** What is chosen is a column. */
export function Board(props: BoardProps<View, number>) {
  const { view, legal, seat, act, chosen: held, advice = null } = props;
  const { board, lastMove, winning } = view;
  const side = seat === null ? null : SIDES[seat];
  const open = held === null ? legal : [];
  // The column last pointed at or focused, whichever came later.
  const [chosen, setChosen] = useState<number | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const sides = [...board].map(sideOfMark);

  const aimed = chosen !== null && open.includes(chosen) ? chosen : null;
  // On your turn the chip is always in sight, above the middle until you point somewhere.
  const hand = held ?? aimed ?? advice ?? open[Math.floor(open.length / 2)];
  const drop = (column: number) => {
    if (open.includes(column)) act(column);
    else sayWhyNot(props, `Column ${column + 1} is full. Choose another one.`);
  };
  useBoardKeys(grid, drop);

  return (
    <MotionFeatures>
      <div className="relative w-full select-none" style={{ aspectRatio: `${WIDTH} / ${HEIGHT}` }}>
        <PlateBack />
        <div className="absolute" style={holesArea}>
          {side && hand !== undefined && <InHand side={side} column={hand} />}
          <Chips sides={sides} lastMove={lastMove} winning={winning} />
        </div>
        <Plate />
        {aimed !== null && <ColumnLight column={aimed} />}
        <div className="absolute" style={holesArea}>
          {lastMove && winning.length === 0 && (
            <LastMove key={`${lastMove.row}-${lastMove.column}`} {...lastMove} />
          )}
          {winning.map((place, index) => (
            <Glow key={`${place.row}-${place.column}`} place={place} index={index} />
          ))}
          <Cells
            ref={grid}
            sides={sides}
            lastMove={lastMove}
            winning={winning}
            onChoose={setChosen}
            onDrop={drop}
          />
        </div>
      </div>
    </MotionFeatures>
  );
}

const percent = (part: number, of: number): string => `${(100 * part) / of}%`;

/** Where the 7 × 6 holes are within the whole picture. */
const holesArea: CSSProperties = {
  left: percent(SHAPE.side, WIDTH),
  right: percent(SHAPE.side, WIDTH),
  top: percent(SHAPE.head + SHAPE.rim, HEIGHT),
  bottom: percent(SHAPE.base + SHAPE.feet, HEIGHT),
};

const cellArea = ({ row, column }: Place) => ({
  position: "absolute" as const,
  left: percent(column, COLUMNS),
  top: percent(row, ROWS),
  width: percent(1, COLUMNS),
  height: percent(1, ROWS),
});

function InHand({ side, column }: { side: Side; column: number }) {
  return (
    <div
      data-testid="chip-in-hand"
      className="transition-[left] duration-100 ease-out"
      style={{ ...cellArea({ row: 0, column }), transform: `translateY(${-HAND * 100}%)` }}
    >
      <Chip side={side} />
    </div>
  );
}

interface ChipsProps {
  sides: readonly (Side | undefined)[];
  lastMove: Place | null;
  winning: readonly Place[];
}

function Chips({ sides, lastMove, winning }: ChipsProps) {
  // Chips that lay there when the page came do not fall again, and of several new ones only the last does.
  const before = useRef(sides);
  const known = before.current;
  useEffect(() => {
    before.current = sides;
  });
  const isAt = (place: Place, cell: number) => place.row * COLUMNS + place.column === cell;
  return sides.map((side, cell) => {
    if (!side) return null;
    const place = { row: Math.floor(cell / COLUMNS), column: cell % COLUMNS };
    return (
      <FallingChip
        key={`${place.row}-${place.column}`}
        side={side}
        place={place}
        falls={known[cell] === undefined && lastMove !== null && isAt(lastMove, cell)}
        dimmed={winning.length > 0 && !winning.some((one) => isAt(one, cell))}
      />
    );
  });
}

interface FallingChipProps {
  side: Side;
  place: Place;
  falls: boolean;
  dimmed: boolean;
}

/** Falls as things do: the time grows with the root of the height, then one small bounce. */
function FallingChip({ side, place, falls, dimmed }: FallingChipProps) {
  const calm = useCalm();
  const [falling] = useState(falls);
  const cells = place.row + HAND;
  const fallMs = calm ? 0 : FALL_MS_PER_ROOT_CELL * Math.sqrt(cells);
  useEffect(() => {
    if (falling) play("clack", { delayMs: fallMs });
  }, [falling, fallMs]);

  const total = fallMs + BOUNCE_MS;
  const moving = falling && !calm;
  return (
    <m.div
      data-chip={`${place.row}-${place.column}`}
      style={cellArea(place)}
      initial={moving ? { y: `${-cells * 100}%` } : false}
      animate={{ y: moving ? [`${-cells * 100}%`, "0%", "-7%", "0%"] : "0%" }}
      transition={{
        duration: total / 1000,
        times: [0, fallMs / total, (fallMs + BOUNCE_MS * 0.45) / total, 1],
        ease: [[1 / 3, 0, 2 / 3, 1 / 3], "easeOut", "easeIn"],
      }}
      className={clsx(
        "[&>svg]:transition-[filter] [&>svg]:duration-500",
        dimmed && "[&>svg]:brightness-[0.72] [&>svg]:saturate-[0.65]",
      )}
    >
      <Chip side={side} />
    </m.div>
  );
}

/** Only the plate is lit, not what is behind it. */
function ColumnLight({ column }: { column: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={VIEW_BOX}
      className="pointer-events-none absolute inset-0 size-full"
    >
      <path d={columnOf(column)} fill="#fff" fillOpacity=".2" fillRule="evenodd" />
    </svg>
  );
}

function LastMove(place: Place) {
  return (
    <div className="c4-last pointer-events-none" style={cellArea(place)}>
      <svg aria-hidden="true" viewBox="0 0 100 100" className="block">
        <circle cx="50" cy="50" r="44.500" fill="none" stroke="#fff" strokeWidth="4.500" />
      </svg>
    </div>
  );
}

/** The four light up one after the other, and then stay lit. */
function Glow({ place, index }: { place: Place; index: number }) {
  return (
    <div
      data-testid="winning-cell"
      className="c4-glow pointer-events-none"
      style={{ ...cellArea(place), "--turn": index } as CSSProperties}
    >
      <svg aria-hidden="true" viewBox="0 0 100 100" className="block overflow-visible">
        <circle cx="50" cy="50" r="45.500" fill="none" stroke="#fff3b0" strokeWidth="6.500" />
      </svg>
    </div>
  );
}
