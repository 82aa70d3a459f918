// The board: shows the pieces it is told of, and says where one is to be placed.
import { clsx } from "clsx";
import { type CSSProperties, type KeyboardEvent, type RefObject, useState } from "react";
import { Tooltip } from "@/ui/tooltip";
import { Carried } from "./carry";
import { PIECE_BOX, Piece, TILT } from "./piece";
import { pieceName, traitsInWords } from "./traits";
import { HEIGHT, PLACES, WIDTH, Wood } from "./wood";

export const BOARD_RATIO = WIDTH / HEIGHT;

interface BoardProps {
  ref: RefObject<HTMLTableElement | null>;
  positions: readonly (number | null)[];
  /** Places that may be chosen now; empty when there is nothing to place for this viewer. */
  open: readonly number[];
  /** The piece about to be placed, shown where one points. */
  inHand: number | null;
  /** Chosen, while the server has not answered yet. */
  held: number | null;
  last: number | null;
  winning: readonly number[];
  onPlace: (position: number) => void;
}

const FOUR = [0, 1, 2, 3] as const;
const steps: Record<string, readonly [number, number]> = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  Home: [0, -3],
  End: [0, 3],
};
const within = (value: number): number => Math.max(0, Math.min(3, value));

export const placeName = (position: number): string =>
  `row ${Math.floor(position / 4) + 1}, column ${(position % 4) + 1}`;

export function Board(props: BoardProps) {
  const { ref, positions, open, inHand, held, last, winning, onPlace } = props;
  // The one place that Tab leads to.
  const [at, setAt] = useState(5);

  const name = (position: number): string => {
    const piece = positions[position] ?? null;
    const place = placeName(position);
    const parts = [place.charAt(0).toUpperCase() + place.slice(1)];
    parts.push(piece === null ? "empty" : traitsInWords(piece));
    if (position === last) parts.push("placed last");
    if (winning.includes(position)) parts.push("winning line");
    return parts.join(", ");
  };
  const place = (position: number) => {
    if (open.includes(position)) onPlace(position);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) {
      const row = within(Math.floor(at / 4) + step[0]);
      const column = within((at % 4) + step[1]);
      const next = 4 * row + column;
      setAt(next);
      ref.current?.querySelector<HTMLElement>(`[data-position="${next}"]`)?.focus();
    } else if (event.key === "Enter" || event.key === " ") place(at);
    else return;
    event.preventDefault();
  };

  return (
    <div className="relative w-full select-none" style={{ aspectRatio: `${WIDTH} / ${HEIGHT}` }}>
      <Wood />
      <table
        ref={ref}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is operated cell by cell is a grid
        role="grid"
        aria-label="Quarto board. Arrows choose a place, Enter puts the piece down."
        className="absolute table-fixed border-collapse touch-manipulation"
        style={placesArea}
      >
        <tbody>
          {FOUR.map((row) => (
            <tr key={row}>
              {FOUR.map((column) => {
                const position = 4 * row + column;
                const piece = positions[position] ?? null;
                const cell = (
                  <td
                    key={column}
                    // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: and this is one of its cells
                    role="gridcell"
                    aria-label={name(position)}
                    data-position={position}
                    tabIndex={position === at ? 0 : -1}
                    className={clsx(
                      "q-place",
                      open.includes(position) && "q-open",
                      position === held && "q-held",
                      position === last && winning.length === 0 && "q-last",
                    )}
                    onFocus={() => setAt(position)}
                    onKeyDown={onKeyDown}
                    onClick={() => place(position)}
                  >
                    {winning.includes(position) && <Glow turn={winning.indexOf(position)} />}
                    {piece !== null && (
                      <div
                        className={clsx(
                          "q-stand",
                          winning.length > 0 && !winning.includes(position) && "q-dim",
                        )}
                        style={standArea}
                      >
                        <Carried key={piece} piece={piece} />
                      </div>
                    )}
                    {piece === null && inHand !== null && (
                      <div className="q-stand q-ghost" style={standArea}>
                        <Piece piece={inHand} />
                      </div>
                    )}
                  </td>
                );
                return piece === null ? (
                  cell
                ) : (
                  <Tooltip key={column} text={pieceName(piece)}>
                    {cell}
                  </Tooltip>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const percent = (part: number, of: number): string => `${((100 * part) / of).toFixed(3)}%`;

const placesArea: CSSProperties = {
  left: percent(PLACES.left, WIDTH),
  top: percent(PLACES.top, HEIGHT),
  width: percent(PLACES.width, WIDTH),
  height: percent(PLACES.height, HEIGHT),
};

/** A piece's box within its place, which is 100 wide: the base stands in the middle. */
const standArea: CSSProperties = {
  left: `${50 + PIECE_BOX.left}%`,
  width: `${PIECE_BOX.width}%`,
  bottom: percent(50 * TILT - (PIECE_BOX.height + PIECE_BOX.top), 100 * TILT),
};

/** The four light up one after the other, and then stay lit. */
function Glow({ turn }: { turn: number }) {
  return (
    <span
      data-testid="winning-place"
      className="q-glow"
      style={{ "--turn": turn } as CSSProperties}
    />
  );
}
