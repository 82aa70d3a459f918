// How a game went, as a line over its moves: above the middle it is good for whoever sits below. One goes
// along it by touch, mouse or arrow keys; mistakes are marked by shape and colour.
import { clsx } from "clsx";
import type { KeyboardEvent, PointerEvent } from "react";
import { useRef } from "react";
import type { Judged } from "@/core/wire";

const WIDTH = 400;
const HEIGHT = 100;
/** Marks at the ends are whole. */
const EDGE = 10;

interface PlotProps {
  moves: readonly Judged[];
  /** One more than there are moves: what each position is worth. */
  values: readonly number[];
  at: number;
  /** What is to be said of where one is. */
  words: string;
  goTo: (at: number) => void;
}

export function Plot({ moves, values, at, words, goTo }: PlotProps) {
  const last = values.length - 1;
  const plate = useRef<HTMLDivElement>(null);
  const x = (index: number) => EDGE + (index / Math.max(1, last)) * (WIDTH - 2 * EDGE);
  const y = (index: number) => HEIGHT / 2 - (values[index] ?? 0) * (HEIGHT / 2 - EDGE);
  const line = values.map((_, index) => `${index ? "L" : "M"}${x(index)} ${y(index)}`).join("");
  const within = (index: number) => goTo(Math.max(0, Math.min(last, index)));

  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1 };
    const ends = { Home: 0, End: last, PageDown: at - 10, PageUp: at + 10 };
    const next = { ...to, ...ends }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    within(next);
  };
  const spot = { left: `${(100 * x(at)) / WIDTH}%`, top: `${(100 * y(at)) / HEIGHT}%` };
  const point = (event: PointerEvent) => {
    const box = plate.current?.getBoundingClientRect();
    if (!box || (event.type === "pointermove" && event.buttons === 0)) return;
    if (event.type === "pointerdown") plate.current?.setPointerCapture?.(event.pointerId);
    const along = ((event.clientX - box.left) / box.width) * WIDTH;
    within(Math.round(((along - EDGE) / (WIDTH - 2 * EDGE)) * last));
  };

  return (
    <div
      ref={plate}
      role="slider"
      aria-label="Moves of the game"
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={at}
      aria-valuetext={words}
      tabIndex={0}
      className="look-plot well"
      onKeyDown={onKeyDown}
      onPointerDown={point}
      onPointerMove={point}
    >
      <svg aria-hidden="true" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        <path d={`${line}L${x(last)} ${HEIGHT / 2}L${x(0)} ${HEIGHT / 2}Z`} className="look-area" />
        <path d={`M0 ${HEIGHT / 2}H${WIDTH}`} className="look-even" />
        <path d={line} className="look-line" />
        <path d={`M${x(at)} 0V${HEIGHT}`} className="look-here" />
      </svg>
      {moves.map(
        (move, index) =>
          move.mistake !== null && (
            <Mark
              key={move.version}
              move={move}
              left={x(index + 1) / WIDTH}
              top={y(index + 1) / HEIGHT}
            />
          ),
      )}
      <span className="look-spot" style={spot} />
    </div>
  );
}

interface MarkProps {
  move: Judged;
  left: number;
  top: number;
}

/** A triangle where a game was lost, a diamond where a win was; hollow where that is estimated. */
function Mark({ move, left, top }: MarkProps) {
  const lost = move.mistake !== "won_drawn";
  return (
    <svg
      aria-hidden="true"
      data-testid="mistake"
      viewBox="-10 -10 20 20"
      className={clsx("look-mark", lost ? "look-lost" : "look-drawn", !move.exact && "look-guess")}
      style={{ left: `${100 * left}%`, top: `${100 * top}%` }}
    >
      <path d={lost ? "M-8 -6H8L0 8Z" : "M0 -8L8 0L0 8L-8 0Z"} />
    </svg>
  );
}
