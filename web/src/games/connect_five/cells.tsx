// The board for hands, keys and screen readers: a grid of named cells over the felt. A mouse points
// and clicks; a finger slides under a loupe, and where it is lifted is what it meant. Where cells are too small to be
// sure of, it has aimed there, and a tap on that places.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { SURE_PX } from "@/table/by-touch";
import { type Place, placeName, SIZE, samePlace } from "./places";

interface CellsProps {
  ref: RefObject<HTMLTableElement | null>;
  name: (place: Place) => string;
  /** Where a finger has aimed. */
  aimed: Place | null;
  /** The place under the mouse or the focus; null when that has left. */
  onPoint: (place: Place | null) => void;
  /** The place under a finger; null when it is lifted, or has left the board. */
  onTouch: (place: Place | null) => void;
  /** A finger was lifted there, and could not be sure of it. */
  onAim: (place: Place) => void;
  /** Clicked, Enter was pressed, or a finger lifted there that was sure of it. */
  onPlay: (place: Place) => void;
}

const indices = Array.from({ length: SIZE }, (_, index) => index);
const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
  Home: [-SIZE, 0],
  End: [SIZE, 0],
  PageUp: [0, -SIZE],
  PageDown: [0, SIZE],
};

const within = (index: number): number => Math.max(0, Math.min(SIZE - 1, index));

function isOver({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): boolean {
  const { left, right, top, bottom } = currentTarget.getBoundingClientRect();
  return clientX >= left && clientX <= right && clientY >= top && clientY <= bottom;
}

const cellSize = ({ currentTarget }: PointerEvent<HTMLElement>): number =>
  currentTarget.getBoundingClientRect().width / SIZE;

function isNear(event: PointerEvent<HTMLElement>, { x, y }: Place): boolean {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  const cell = cellSize(event);
  const [across, down] = [left + (x + 0.5) * cell, top + (y + 0.5) * cell];
  return Math.hypot(event.clientX - across, event.clientY - down) <= SURE_PX / 2;
}

function placeUnder(event: PointerEvent<HTMLElement>): Place {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return {
    x: within(Math.floor(((event.clientX - left) / width) * SIZE)),
    y: within(Math.floor(((event.clientY - top) / height) * SIZE)),
  };
}

export function Cells({ ref, name, aimed, onPoint, onTouch, onAim, onPlay }: CellsProps) {
  // The one cell that Tab leads to.
  const [at, setAt] = useState<Place>({ x: 6, y: 6 });
  const finger = useRef(false);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) {
      const next = { x: within(at.x + step[0]), y: within(at.y + step[1]) };
      setAt(next);
      ref.current?.querySelector<HTMLElement>(`[data-place="${placeName(next)}"]`)?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      onPlay(at);
    } else return;
    event.preventDefault();
  };

  /** What a finger touches: the place it has aimed at is larger than its cell. */
  const meant = (event: PointerEvent<HTMLTableElement>) =>
    aimed && isNear(event, aimed) ? aimed : placeUnder(event);

  const touched = (event: PointerEvent<HTMLTableElement>) =>
    onTouch(isOver(event) ? meant(event) : null);

  const lifted = (event: PointerEvent<HTMLTableElement>) => {
    onTouch(null);
    if (!isOver(event)) return;
    const place = meant(event);
    const sure = cellSize(event) >= SURE_PX || place === aimed;
    (sure ? onPlay : onAim)(place);
  };

  return (
    <table
      ref={ref}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is operated cell by cell is a grid
      role="grid"
      aria-label="Connect Five board. Arrows move, Enter places, keys 1 to 5 choose the tool."
      className="absolute inset-0 size-full table-fixed border-collapse"
      onPointerDown={(event) => {
        finger.current = event.pointerType !== "mouse";
        if (!finger.current) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        touched(event);
      }}
      onPointerMove={(event) => {
        if (event.pointerType === "mouse") onPoint(placeUnder(event));
        else if (event.currentTarget.hasPointerCapture(event.pointerId)) touched(event);
      }}
      onPointerUp={(event) => {
        if (event.pointerType !== "mouse") lifted(event);
      }}
      onPointerCancel={() => onTouch(null)}
      onPointerLeave={() => onPoint(null)}
      onBlur={() => onPoint(null)}
    >
      <tbody>
        {indices.map((y) => (
          <tr key={y}>
            {indices.map((x) => {
              const place = { x, y };
              return (
                <td
                  key={x}
                  // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: and this is one of its cells
                  role="gridcell"
                  aria-label={name(place)}
                  data-place={placeName(place)}
                  tabIndex={samePlace(at, place) ? 0 : -1}
                  className="c5-cell cursor-pointer p-0"
                  onFocus={() => {
                    setAt(place);
                    if (!finger.current) onPoint(place);
                  }}
                  onKeyDown={(event) => {
                    finger.current = false;
                    onKeyDown(event);
                  }}
                  onClick={() => {
                    // A finger covers several cells; what it meant was told by where it was lifted.
                    if (!finger.current) onPlay(place);
                    finger.current = false;
                  }}
                />
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
