// The tray: the pieces that are left, each in its own slot, to be handed over.
import { clsx } from "clsx";
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Tooltip } from "@/ui/tooltip";
import { Carried } from "./carry";
import { pieceName, TRAY_ORDER, traitsOf } from "./traits";

interface PiecesProps {
  ref: RefObject<HTMLDivElement | null>;
  left: ReadonlySet<number>;
  /** Pieces that may be handed over now. */
  open: readonly number[];
  /** Under a finger: where that is lifted, the piece is handed over. */
  lifted: number | null;
  /** Chosen, while the server has not answered yet. */
  held: number | null;
  /** What one was advised to give. */
  advised: number | null;
  onLift: (piece: number | null) => void;
  onSelect: (piece: number) => void;
}

export function Pieces(props: PiecesProps) {
  const { ref, left, open, lifted, held, advised, onLift, onSelect } = props;
  const [at, setAt] = useState(TRAY_ORDER[0] ?? 0);
  // The slot that Tab leads to always has a piece in it.
  const stop = left.has(at) ? at : (TRAY_ORDER.find((piece) => left.has(piece)) ?? at);

  // A piece that was handed over takes the focus with it, to its neighbour.
  const [focused, setFocused] = useState(false);
  useLayoutEffect(() => {
    if (focused && document.activeElement === document.body) buttonOf(ref.current, stop)?.focus();
  }, [focused, stop, ref]);

  // A finger slides to the piece it means; the click that follows it means nothing.
  const finger = useRef(false);
  const underFinger = ({ clientX, clientY }: PointerEvent): number | null => {
    const found = document.elementFromPoint(clientX, clientY)?.closest("[data-in-tray]");
    if (!found || !ref.current?.contains(found)) return null;
    return Number(found.getAttribute("data-in-tray"));
  };
  const lift = (event: PointerEvent) => {
    const piece = underFinger(event);
    onLift(piece !== null && open.includes(piece) ? piece : null);
  };
  const onKeyDown = (event: KeyboardEvent, piece: number) => {
    const next = neighbour(ref.current, left, piece, event.key);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    buttonOf(ref.current, next)?.focus();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: pieces in a tray are no form
    <div
      ref={ref}
      role="group"
      aria-label="Pieces left"
      className="q-tray"
      onPointerDown={(event) => {
        finger.current = event.pointerType !== "mouse";
        if (!finger.current) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        lift(event);
      }}
      onPointerMove={(event) => {
        if (finger.current && event.currentTarget.hasPointerCapture(event.pointerId)) lift(event);
      }}
      onPointerUp={(event) => {
        if (!finger.current) return;
        const piece = underFinger(event);
        onLift(null);
        if (piece !== null) onSelect(piece);
      }}
      onPointerCancel={() => onLift(null)}
      onBlur={({ relatedTarget }) => setFocused(relatedTarget !== null && focused)}
    >
      {TRAY_ORDER.map((piece) => (
        <div key={piece} className={clsx("q-slot", !traitsOf(piece).tall && "q-slot-short")}>
          {left.has(piece) && (
            <Tooltip text={pieceName(piece)}>
              <button
                type="button"
                aria-label={pieceName(piece)}
                aria-disabled={!open.includes(piece)}
                aria-pressed={lifted === piece || held === piece}
                data-in-tray={piece}
                tabIndex={piece === stop ? 0 : -1}
                className={clsx(
                  "q-pick",
                  (lifted === piece || held === piece) && "q-lifted",
                  advised === piece && "q-advised",
                )}
                onFocus={() => {
                  setAt(piece);
                  setFocused(true);
                }}
                onKeyDown={(event) => onKeyDown(event, piece)}
                // A click without a press comes from a key.
                onClick={({ detail }) => {
                  if (!finger.current || detail === 0) onSelect(piece);
                }}
              >
                <Carried piece={piece} className="q-picked" />
              </button>
            </Tooltip>
          )}
        </div>
      ))}
    </div>
  );
}

function buttonOf(tray: HTMLElement | null, piece: number): HTMLElement | null {
  return tray?.querySelector<HTMLElement>(`[data-in-tray="${piece}"]`) ?? null;
}

/** The next piece in the direction of an arrow, over empty slots; how wide the tray is, its style says. */
function neighbour(
  tray: HTMLElement | null,
  left: ReadonlySet<number>,
  from: number,
  key: string,
): number | null {
  if (!tray) return null;
  const columns = Math.max(1, getComputedStyle(tray).gridTemplateColumns.split(" ").length);
  const here = TRAY_ORDER.indexOf(from);
  const row = Math.floor(here / columns);
  const ways: Record<string, readonly [by: number, stays: boolean]> = {
    ArrowLeft: [-1, true],
    ArrowRight: [1, true],
    ArrowUp: [-columns, false],
    ArrowDown: [columns, false],
  };
  const way = ways[key];
  if (!way) return null;
  const [by, stays] = way;
  for (let slot = here + by; slot >= 0 && slot < TRAY_ORDER.length; slot += by) {
    if (stays && Math.floor(slot / columns) !== row) break;
    const piece = TRAY_ORDER[slot];
    if (piece !== undefined && left.has(piece)) return piece;
  }
  return from;
}
