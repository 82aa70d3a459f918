// The board: draws the stones it is told of, shows where the tool in hand would go, and says what
// was chosen.
import "./board.css";
import { clsx } from "clsx";
import { type CSSProperties, useEffect, useRef, useState } from "react";
import type { Seat } from "@/core/wire";
import type { BoardProps } from "@/table/kit";
import { otherSeat } from "@/table/names";
import { sayWhyNot } from "@/table/why-not";
import { Cells } from "./cells";
import { CELL, Felt, middle, RIM, WHOLE } from "./felt";
import { LastMove, Preview, Shatter, Winning } from "./marks";
import { sideOf } from "./match";
import { type Place, placeName, SIZE, samePlace } from "./places";
import { StoneShape } from "./stone";
import { toolOf } from "./tools";
import type { MoveType } from "./wire";

export interface View {
  /** Rows from the top; 0 is empty, 1 and 2 are the two players. */
  cells: readonly (readonly number[])[];
  turnNumber: number;
  last: { by: Seat; placed: Place[]; removed: Place[] } | null;
  winning: Place[];
}

/** What is chosen: a tool, and where. */
export interface Placement {
  tool: MoveType;
  place: Place;
}

export const fits = (legal: readonly Placement[], { tool, place }: Placement): boolean =>
  legal.some((each) => each.tool === tool && samePlace(each.place, place));

interface FeltProps extends BoardProps<View, Placement> {
  /** In hand. */
  tool: MoveType;
  /** Where it is shown to go until somebody points elsewhere. */
  shownAt?: Place | null;
}

const percent = (part: number): string => `${(100 * part) / WHOLE}%`;
const felt: CSSProperties = { inset: percent(RIM), position: "absolute" };

export function Board(props: FeltProps) {
  const { view, legal, seat, act, chosen, tool, shownAt = null } = props;
  const [pointed, setPointed] = useState<Place | null>(null);
  const [finger, setFinger] = useState<Place | null>(null);
  // Where a finger would place by one more tap, in this turn.
  const [aimed, setAimed] = useState<{ turn: number; place: Place } | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const mine = legal.length > 0;
  const open = legal.filter((each) => each.tool === tool);
  const again = mine && chosen === null && aimed?.turn === view.turnNumber ? aimed.place : null;
  const aim = finger ?? chosen?.place ?? again ?? pointed ?? shownAt;
  const ifItFits = (place: Place, then: () => void) => {
    if (chosen === null && fits(open, { tool, place })) then();
    else sayWhyNot(props, `${toolOf(tool).label} does not fit on ${placeName(place)}.`);
  };
  const play = (place: Place) => ifItFits(place, () => act({ tool, place }));

  return (
    <div
      className="c5-board relative mx-auto w-full select-none"
      style={{ aspectRatio: 1 }}
      data-testid="board"
    >
      <svg aria-hidden="true" viewBox={`0 0 ${WHOLE} ${WHOLE}`} className="block size-full">
        <g id="c5-scene">
          <Felt />
          <Stones view={view} />
          <Marks view={view} />
          {aim && mine && seat !== null && (
            <Preview
              tool={tool}
              place={aim}
              fits={fits(open, { tool, place: aim })}
              side={sideOf(seat)}
            />
          )}
        </g>
      </svg>
      <div style={felt}>
        <Cells
          ref={grid}
          name={(place) => cellName(view, place, !mine || fits(open, { tool, place }))}
          onPoint={setPointed}
          onTouch={(place) => {
            setPointed(null);
            setFinger(mine ? place : null);
          }}
          aimed={again}
          onAim={(place) => ifItFits(place, () => setAimed({ turn: view.turnNumber, place }))}
          onPlay={play}
        />
      </div>
      {again && !finger && <TapAgain place={again} />}
      {finger && <Loupe place={finger} />}
    </div>
  );
}

const sideAt = ({ cells }: View, { x, y }: Place) => {
  const value = cells[y]?.[x];
  return value === 1 ? sideOf(0) : value === 2 ? sideOf(1) : null;
};

const includes = (places: Place[], place: Place): boolean =>
  places.some((each) => samePlace(each, place));

function cellName(view: View, place: Place, legal: boolean): string {
  const side = sideAt(view, place);
  const parts = [placeName(place), side ?? "empty"];
  if (view.last && includes(view.last.placed, place)) parts.push("last move");
  if (view.last && includes(view.last.removed, place)) parts.push("stone broken by the last move");
  if (includes(view.winning, place)) parts.push("winning five");
  if (side === null && !legal) parts.push("does not fit");
  return parts.join(", ");
}

const places: Place[] = Array.from({ length: SIZE * SIZE }, (_, cell) => ({
  x: cell % SIZE,
  y: Math.floor(cell / SIZE),
}));

function Stones({ view }: { view: View }) {
  const { cells, winning } = view;
  // Stones that lay there when the page came do not land again.
  const known = useRef(cells);
  const before = known.current;
  useEffect(() => {
    known.current = cells;
  });
  return places.map((place) => {
    const side = sideAt(view, place);
    if (side === null) return null;
    return (
      <LyingStone
        key={placeName(place)}
        place={place}
        side={side}
        fresh={before[place.y]?.[place.x] === 0}
        dimmed={winning.length > 0 && !includes(winning, place)}
      />
    );
  });
}

interface LyingStoneProps {
  place: Place;
  side: ReturnType<typeof sideOf>;
  fresh: boolean;
  dimmed: boolean;
}

function LyingStone({ place, side, fresh, dimmed }: LyingStoneProps) {
  const [lands] = useState(fresh);
  return (
    <g transform={`translate(${middle(place.x)} ${middle(place.y)})`}>
      <g className={clsx(lands && "c5-fresh", dimmed && "c5-dimmed")}>
        <StoneShape side={side} />
      </g>
    </g>
  );
}

function Marks({ view: { last, turnNumber, winning } }: { view: View }) {
  const [firstTurn] = useState(turnNumber);
  if (!last) return null;
  const { placed, removed } = last;
  const victim = sideOf(otherSeat(last.by));
  return (
    <>
      {winning.length === 0 && <LastMove key={turnNumber} placed={placed} removed={removed} />}
      {turnNumber !== firstTurn &&
        removed.map((place) => <Shatter key={turnNumber} place={place} side={victim} />)}
      <Winning places={winning} />
    </>
  );
}

/** Below the place, or above it at the lower edge. */
function TapAgain({ place }: { place: Place }) {
  const beside = place.y < SIZE - 3 ? 1 : -1;
  return (
    <p
      role="status"
      className="text-display pointer-events-none absolute -translate-1/2 rounded-full bg-ink-dark px-3 text-base leading-7 whitespace-nowrap text-white"
      style={{
        left: `clamp(5.5rem, ${percent(middle(place.x))}, 100% - 5.5rem)`,
        top: percent(middle(place.y) + beside * 1.6 * CELL),
      }}
    >
      {placeName(place)}: tap again to place
    </p>
  );
}

const LOUPE_CELLS = 4.4;

function Loupe({ place }: { place: Place }) {
  const size = LOUPE_CELLS * CELL;
  const [x, y] = [middle(place.x), middle(place.y)];
  return (
    <div
      aria-hidden="true"
      className="c5-loupe"
      data-testid="loupe"
      style={{ left: `clamp(4.5rem, ${percent(x)}, 100% - 4.5rem)`, top: percent(y) }}
    >
      <svg
        aria-hidden="true"
        viewBox={`${x - size / 2} ${y - size / 2} ${size} ${size}`}
        className="size-full rounded-full"
      >
        <use href="#c5-scene" />
      </svg>
      <span className="text-display absolute inset-x-0 -bottom-3 mx-auto w-fit rounded-full bg-ink-dark px-2.5 text-base text-white">
        {placeName(place)}
      </span>
    </div>
  );
}
