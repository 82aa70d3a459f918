// The cards on their cloth. It shows what it is told and says which card was chosen.
import { clsx } from "clsx";
import { type CSSProperties, type KeyboardEvent, useRef, useState } from "react";
import type { BoardProps } from "@/table/kit";
import { sayWhyNot } from "@/table/why-not";
import "./cards.css";
import type { Card } from "./memory";
import { CardSymbol, isPower, symbolName } from "./symbols";

export interface View {
  rows: number;
  cols: number;
  cards: readonly Card[];
  /** Cards nobody has seen, for the one who unveiled them. */
  highlighted: readonly number[];
}

/** What is chosen is a card. */
interface CardsProps extends BoardProps<View, number> {
  /** A power-up waits for its card: its neighbourhood is outlined. */
  aiming: boolean;
  spectacle: string | null;
}

export function Board(props: CardsProps) {
  const { view, legal, act, advice, aiming, spectacle } = props;
  const { rows, cols, cards, highlighted } = view;
  const grid = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState(0);
  const [aim, setAim] = useState<number | null>(null);
  const aimed = aiming && aim !== null ? neighbourhood(aim, rows, cols) : [];

  const move = (event: KeyboardEvent) => {
    const next = step(event.key, at, rows, cols);
    if (next === null) return;
    event.preventDefault();
    setAt(next);
    setAim(next);
    grid.current?.querySelectorAll<HTMLElement>("[data-card]")[next]?.focus();
  };

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot be played with arrow keys
    <div
      ref={grid}
      role="grid"
      aria-label={`Board, ${rows} rows of ${cols} cards`}
      aria-rowcount={rows}
      aria-colcount={cols}
      data-spectacle={spectacle ?? undefined}
      onKeyDown={move}
      onPointerLeave={() => setAim(null)}
      className="mem-cloth grid gap-[2%] p-[3%]"
      style={{ aspectRatio: boardRatio(rows, cols) }}
    >
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/a11y/useSemanticElements: as above
        // biome-ignore lint/a11y/useFocusableInteractive: the cards in it are
        // biome-ignore lint/suspicious/noArrayIndexKey: rows stay where they are
        <div key={row} role="row" className="grid gap-[2%]" style={columns(cols)}>
          {cards.slice(row * cols, (row + 1) * cols).map((card) => (
            <OneCard
              key={card.index}
              card={card}
              row={row}
              col={card.index % cols}
              rows={rows}
              cols={cols}
              glowing={highlighted.includes(card.index)}
              aimed={aimed.includes(card.index)}
              advised={advice === card.index}
              choosing={legal.includes(card.index)}
              focusable={card.index === at}
              onAim={() => setAim(card.index)}
              onChoose={() => {
                setAt(card.index);
                if (legal.includes(card.index)) act(card.index);
                else sayWhyNot(props, whyNot(card));
              }}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function whyNot({ state }: Card): string {
  if (state === "matched") return "That pair is found. Choose a card that lies face down.";
  if (state === "revealed") return "That card is open already.";
  return "Wait until the two cards are turned back.";
}

/** Cards are a little taller than wide. */
export const boardRatio = (rows: number, cols: number): number => (cols * 5) / (rows * 6);

const columns = (cols: number): CSSProperties => ({
  gridTemplateColumns: `repeat(${cols}, minmax(0, 1fr))`,
});

function neighbourhood(index: number, rows: number, cols: number): number[] {
  const row = Math.floor(index / cols);
  const col = index % cols;
  const near: number[] = [];
  for (let r = Math.max(0, row - 1); r <= Math.min(rows - 1, row + 1); r++) {
    for (let c = Math.max(0, col - 1); c <= Math.min(cols - 1, col + 1); c++)
      near.push(r * cols + c);
  }
  return near;
}

function step(key: string, at: number, rows: number, cols: number): number | null {
  const row = Math.floor(at / cols);
  const col = at % cols;
  switch (key) {
    case "ArrowLeft":
      return row * cols + Math.max(0, col - 1);
    case "ArrowRight":
      return row * cols + Math.min(cols - 1, col + 1);
    case "ArrowUp":
      return Math.max(0, row - 1) * cols + col;
    case "ArrowDown":
      return Math.min(rows - 1, row + 1) * cols + col;
    case "Home":
      return row * cols;
    case "End":
      return row * cols + cols - 1;
    default:
      return null;
  }
}

interface OneCardProps {
  card: Card;
  row: number;
  col: number;
  rows: number;
  cols: number;
  glowing: boolean;
  aimed: boolean;
  advised: boolean;
  choosing: boolean;
  focusable: boolean;
  onAim: () => void;
  onChoose: () => void;
}

function OneCard(props: OneCardProps) {
  const { card, row, col, rows, cols, glowing, aimed, advised, choosing, focusable } = props;
  const up = card.state !== "hidden";
  // What a card showed stays printed on it while it turns back.
  const printed = useRef(card.pairId);
  if (card.pairId !== undefined) printed.current = card.pairId;
  const place = {
    "--at": card.index,
    "--x": cols > 1 ? (2 * col) / (cols - 1) : 1,
    "--y": rows > 1 ? (2 * row) / (rows - 1) : 1,
  } as CSSProperties;
  return (
    // biome-ignore lint/a11y/useSemanticElements: as for the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the button in it is
    <div role="gridcell" className="min-h-0">
      <button
        type="button"
        data-card={card.index}
        data-up={up}
        data-owner={card.matchedBy}
        data-glow={glowing && !up}
        data-aimed={aimed}
        data-advised={advised}
        aria-disabled={!choosing}
        aria-label={cardName(card, row, col, glowing)}
        tabIndex={focusable ? 0 : -1}
        onPointerEnter={props.onAim}
        onFocus={props.onAim}
        onClick={props.onChoose}
        className={clsx("mem-card block h-full", choosing ? "cursor-pointer" : "cursor-default")}
        style={place}
      >
        <span className="mem-turner">
          <span className="mem-edge" />
          <span className="mem-side mem-back grid place-items-center">
            <BackMark />
          </span>
          <span
            className="mem-side mem-front"
            data-power={printed.current !== undefined && isPower(printed.current)}
          >
            {printed.current !== undefined && (
              <CardSymbol pairId={printed.current} className="w-[66%]" />
            )}
            {card.matchedBy && <OwnerMark owner={card.matchedBy} />}
          </span>
        </span>
      </button>
    </div>
  );
}

function cardName(card: Card, row: number, col: number, glowing: boolean): string {
  const place = `Row ${row + 1}, column ${col + 1}`;
  if (card.state === "hidden") return `${place}: face down${glowing ? ", never seen" : ""}`;
  const symbol = card.pairId === undefined ? "face up" : symbolName(card.pairId);
  if (card.state === "revealed") return `${place}: ${symbol}`;
  return `${place}: ${symbol}, matched by ${card.matchedBy === "you" ? "you" : "your opponent"}`;
}

function BackMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className="w-[44%]">
      <path d="M20 4 34 20 20 36 6 20Z" fill="none" stroke="#f6e7c4" strokeWidth="2.200" />
      <path d="M20 12 27 20 20 28 13 20Z" fill="#f6e7c4" />
    </svg>
  );
}

/** A tick for you, a ring for the other: not by colour alone. */
function OwnerMark({ owner }: { owner: "you" | "opponent" }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24" className="absolute right-[7%] bottom-[6%] w-[22%]">
      <circle cx="12" cy="12" r="11" fill={owner === "you" ? "#12823d" : "#173f9f"} />
      {owner === "you" ? (
        <path d="m6.500 12.500 4 4 7-8" fill="none" stroke="#fff" strokeWidth="3" />
      ) : (
        <circle cx="12" cy="12" r="5" fill="none" stroke="#fff" strokeWidth="3" />
      )}
    </svg>
  );
}
