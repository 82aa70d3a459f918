// The board for hands, keys and screen readers: a grid of named cells over the felt. A mouse points
// and clicks; a finger slides under a loupe, and where it is lifted is what it meant.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { type Place, placeName, SIZE, samePlace } from "./places";

interface CellsProps {
  ref: RefObject<HTMLTableElement | null>;
  name: (place: Place) => string;
  /** The place under the mouse or the focus; null when that has left. */
  onPoint: (place: Place | null) => void;
  /** The place under a finger; null when it is lifted, or has left the board. */
  onTouch: (place: Place | null) => void;
  /** Clicked, Enter was pressed, or a finger lifted there. */
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

function placeUnder(event: PointerEvent<HTMLElement>): Place {
  const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
  return {
    x: within(Math.floor(((event.clientX - left) / width) * SIZE)),
    y: within(Math.floor(((event.clientY - top) / height) * SIZE)),
  };
}

export function Cells({ ref, name, onPoint, onTouch, onPlay }: CellsProps) {
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

  const touched = (event: PointerEvent<HTMLTableElement>) =>
    onTouch(isOver(event) ? placeUnder(event) : null);

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
        if (event.pointerType === "mouse") return;
        onTouch(null);
        if (isOver(event)) onPlay(placeUnder(event));
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
