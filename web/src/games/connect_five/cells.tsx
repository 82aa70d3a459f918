// The board for hands, keys and screen readers: a grid of named cells over the felt. A mouse points
// and clicks; a finger slides under a loupe and picks, and what it picked is confirmed elsewhere.
import { type KeyboardEvent, type PointerEvent, type RefObject, useRef, useState } from "react";
import { type Place, placeName, SIZE, samePlace } from "./places";

interface CellsProps {
  ref: RefObject<HTMLTableElement | null>;
  name: (place: Place) => string;
  /** The place under the mouse or the focus; null when that has left. */
  onPoint: (place: Place | null) => void;
  /** The place under a finger; `down` until it is lifted. */
  onTouch: (place: Place, down: boolean) => void;
  /** Clicked, or Enter was pressed. */
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

  const touched = (event: PointerEvent<HTMLTableElement>, down: boolean) => {
    if (event.pointerType !== "mouse") onTouch(placeUnder(event), down);
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
        if (finger.current) event.currentTarget.setPointerCapture(event.pointerId);
        touched(event, true);
      }}
      onPointerMove={(event) => {
        if (event.pointerType === "mouse") onPoint(placeUnder(event));
        else if (event.currentTarget.hasPointerCapture(event.pointerId)) touched(event, true);
      }}
      onPointerUp={(event) => touched(event, false)}
      onPointerCancel={(event) => touched(event, false)}
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
