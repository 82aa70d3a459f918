// The board: shows the pieces it is told of, and says where one is to be placed.
import { clsx } from "clsx";
import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useRef,
  useState,
} from "react";
import type { BoardProps } from "@/table/kit";
import { sayWhyNot } from "@/table/why-not";
import { Tooltip } from "@/ui/tooltip";
import { Carried } from "./carry";
import { PIECE_BOX, Piece, TILT } from "./piece";
import { capitalized, pieceName, traitsInWords } from "./traits";
import type { Game, Move } from "./wire";
import { HEIGHT, PLACES, WIDTH, Wood } from "./wood";

export const BOARD_RATIO = WIDTH / HEIGHT;

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

interface QuartoBoardProps extends BoardProps<Game, Move> {
  ref?: RefObject<HTMLTableElement | null>;
}

export function Board(props: QuartoBoardProps) {
  const { view, legal, act, chosen, advice } = props;
  const own = useRef<HTMLTableElement>(null);
  const ref = props.ref ?? own;
  const { positions } = view.board;
  const winning = view.winningLine ?? [];
  const last = view.history.findLast((entry) => entry.type === "place")?.position ?? null;
  const held = chosen?.type === "PLACE_PIECE" ? chosen.position : null;
  const places = legal.flatMap((move) => (move.type === "PLACE_PIECE" ? [move.position] : []));
  const open = chosen === null ? places : [];
  // Shown where one points.
  const inHand = places.length > 0 ? view.selectedPiece : null;
  // The one place that Tab leads to.
  const [at, setAt] = useState(5);

  const place = (position: number) => {
    if (open.includes(position)) act({ type: "PLACE_PIECE", position });
    else sayWhyNot(props, whyNot(view, positions[position] ?? null));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = steps[event.key];
    if (step) {
      const next = 4 * within(Math.floor(at / 4) + step[0]) + within((at % 4) + step[1]);
      setAt(next);
      ref.current?.querySelector<HTMLElement>(`[data-position="${next}"]`)?.focus();
    } else if (event.key === "Enter" || event.key === " ") place(at);
    else return;
    event.preventDefault();
  };
  const placeAt = (position: number) => {
    const piece = positions[position] ?? null;
    return (
      <Place
        key={position}
        position={position}
        piece={piece}
        ghost={piece === null ? inHand : null}
        open={open.includes(position)}
        held={position === held}
        last={position === last}
        advised={advice?.type === "PLACE_PIECE" && advice.position === position}
        shine={winning.length === 0 ? null : winning.indexOf(position)}
        tabIndex={position === at ? 0 : -1}
        onFocus={() => setAt(position)}
        onKeyDown={onKeyDown}
        onClick={() => place(position)}
      />
    );
  };

  return (
    // Where the strip stands above the board, tall pieces of the last row may reach over its edge.
    <div
      className="relative w-full select-none max-wide:portrait:-mt-4"
      style={{ aspectRatio: `${WIDTH} / ${HEIGHT}` }}
    >
      <Wood />
      <table
        ref={ref}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table that is operated cell by cell is a grid
        role="grid"
        aria-label="Quarto board. Arrows choose a place, Enter puts the piece down."
        className={clsx(
          "absolute table-fixed border-collapse touch-manipulation",
          open.length > 0 && "q-placing",
        )}
        style={placesArea}
      >
        <tbody>
          {FOUR.map((row) => (
            <tr key={row}>{FOUR.map((column) => placeAt(4 * row + column))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function whyNot({ phase }: Game, piece: number | null): string {
  if (phase === "selecting") return "First give your opponent a piece from the tray.";
  return piece === null ? "" : "A piece stands there. Choose a free place.";
}

interface PlaceProps extends ComponentProps<"td"> {
  position: number;
  piece: number | null;
  /** What would stand here. */
  ghost: number | null;
  open: boolean;
  held: boolean;
  last: boolean;
  advised: boolean;
  /** Which of the winning four it is, -1 for none of them; null: nobody has won. */
  shine: number | null;
}

function Place(props: PlaceProps) {
  const { position, piece, ghost, open, held, last, advised, shine, tabIndex, ...handlers } = props;
  const won = shine !== null && shine >= 0;
  const parts = [
    placeName(position),
    piece === null ? "empty" : traitsInWords(piece),
    ...(last ? ["placed last"] : []),
    ...(won ? ["winning line"] : []),
  ];
  return (
    // It stays the same cell when a piece comes to it, so that the focus stays as well.
    <Tooltip text={piece === null ? null : pieceName(piece)}>
      <td
        {...handlers}
        tabIndex={tabIndex}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: and this is one of its cells
        role="gridcell"
        aria-label={capitalized(parts.join(", "))}
        data-position={position}
        className={clsx(
          "q-place",
          open && "q-open",
          held && "q-held",
          last && shine === null && "q-last",
          advised && "q-advised",
        )}
      >
        {won && <Glow turn={shine} />}
        {piece !== null && (
          <div className={clsx("q-stand", shine === -1 && "q-dim")} style={standArea}>
            <Carried key={piece} piece={piece} />
          </div>
        )}
        {ghost !== null && (
          <div className="q-stand q-ghost" style={standArea}>
            <Piece piece={ghost} />
          </div>
        )}
      </td>
    </Tooltip>
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
