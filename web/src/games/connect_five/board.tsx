// The board: draws the stones it is told of, shows where the tool in hand would go, and says what
// was chosen.
import "./board.css";
import { clsx } from "clsx";
import { type CSSProperties, useEffect, useRef, useState } from "react";
import { Cells } from "./cells";
import { CELL, Felt, middle, RIM, WHOLE } from "./felt";
import { LastMove, Preview, Shatter, Winning } from "./marks";
import { otherSeat, type Seat, seatOf, sideOf } from "./match";
import { isLegal, type Place, placeName, SIZE, samePlace, toPlace } from "./places";
import { StoneShape } from "./stone";
import type { Match, MoveType } from "./wire";

interface BoardProps {
  match: Match;
  seat: Seat;
  tool: MoveType;
  /** Picked with a finger, and waiting to be confirmed. */
  picked: Place | null;
  onPick: (place: Place) => void;
  /** The placement sent, while the server has not answered yet. */
  held: Place | null;
  onPlay: (place: Place) => void;
}

const percent = (part: number): string => `${(100 * part) / WHOLE}%`;
const felt: CSSProperties = { inset: percent(RIM), position: "absolute" };

export function Board({ match, seat, tool, picked, onPick, held, onPlay }: BoardProps) {
  const [pointed, setPointed] = useState<Place | null>(null);
  const [finger, setFinger] = useState<Place | null>(null);
  const grid = useRef<HTMLTableElement>(null);
  const mask = match.legal?.[tool];
  const aim = finger ?? held ?? pointed ?? picked;

  return (
    <div
      className="c5-board relative mx-auto w-full select-none"
      style={{ aspectRatio: 1 }}
      data-testid="board"
    >
      <svg aria-hidden="true" viewBox={`0 0 ${WHOLE} ${WHOLE}`} className="block size-full">
        <g id="c5-scene">
          <Felt />
          <Stones match={match} />
          <Marks match={match} />
          {aim && match.legal && (
            <Preview tool={tool} place={aim} fits={isLegal(mask, aim)} side={sideOf(seat)} />
          )}
        </g>
      </svg>
      <div style={felt}>
        <Cells
          ref={grid}
          name={(place) => cellName(match, place, mask)}
          onPoint={setPointed}
          onTouch={(place, down) => {
            setPointed(null);
            setFinger(down && match.legal ? place : null);
            onPick(place);
          }}
          onPlay={onPlay}
        />
      </div>
      {finger && <Loupe place={finger} />}
    </div>
  );
}

const sideAt = (match: Match, { x, y }: Place) => {
  const value = match.board_state[y]?.[x];
  return value === 1 ? sideOf(0) : value === 2 ? sideOf(1) : null;
};

const includes = (places: Place[], place: Place): boolean =>
  places.some((each) => samePlace(each, place));

function cellName(match: Match, place: Place, mask: string | undefined): string {
  const side = sideAt(match, place);
  const parts = [placeName(place), side ?? "empty"];
  if (match.last_move?.placed.some((each) => samePlace(toPlace(each), place)))
    parts.push("last move");
  if (match.last_move?.removed.some((each) => samePlace(toPlace(each), place)))
    parts.push("stone broken by the last move");
  if (match.winning_cells.some((each) => samePlace(toPlace(each), place)))
    parts.push("winning five");
  if (side === null && mask && !isLegal(mask, place)) parts.push("does not fit");
  return parts.join(", ");
}

const places: Place[] = Array.from({ length: SIZE * SIZE }, (_, cell) => ({
  x: cell % SIZE,
  y: Math.floor(cell / SIZE),
}));

function Stones({ match }: { match: Match }) {
  // Stones that lay there when the page came do not land again.
  const known = useRef(match.board_state);
  const before = known.current;
  useEffect(() => {
    known.current = match.board_state;
  });
  const winning = match.winning_cells.map(toPlace);
  return places.map((place) => {
    const side = sideAt(match, place);
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

function Marks({ match }: { match: Match }) {
  const last = match.last_move;
  const [firstTurn] = useState(match.turn_number);
  if (!last) return null;
  const removed = last.removed.map(toPlace);
  const victim = sideOf(otherSeat(seatOf(match, last.user)));
  return (
    <>
      {match.winning_cells.length === 0 && (
        <LastMove key={match.turn_number} placed={last.placed.map(toPlace)} removed={removed} />
      )}
      {match.turn_number !== firstTurn &&
        removed.map((place) => <Shatter key={match.turn_number} place={place} side={victim} />)}
      <Winning places={match.winning_cells.map(toPlace)} />
    </>
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
