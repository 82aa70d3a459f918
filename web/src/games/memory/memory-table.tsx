// Memory at the table, whatever line it came over: the cards, each player's pile, the power-ups in the hand.
import { useEffect, useRef, useState } from "react";
import type { Seat } from "@/core/wire";
import { GameTable } from "@/table/game-table";
import type { TableModel } from "@/table/model";
import { Board, type View } from "./board";
import { Flights } from "./flights";
import { Hand } from "./hand";
import { kitFor } from "./kit";
import type { State } from "./memory";
import { powerUp } from "./power-ups";
import { Ways } from "./ways";

interface MemoryTableProps {
  /** One sits at 0, the opponent at 1; what is done is to turn a card over. */
  table: TableModel<View, number>;
  /** How many pairs each has. */
  pairs: readonly [number, number];
  hand: State["hand"];
  /** It is the beginning of one's turn, which is when power-ups are used. */
  usable: boolean;
  use: (powerUpId: string, card: number | null) => void;
  /** The power-up that moves the whole table just now. */
  spectacle: string | null;
}

export function MemoryTable({ table, pairs, hand, usable, use, spectacle }: MemoryTableProps) {
  const { view } = table;
  const [armed, arm] = useArmed(table.id, hand, usable && table.ended === null);

  const choose = (index: number) => {
    if (armed === null) {
      table.act(index);
    } else {
      use(armed, index);
      arm(null);
    }
  };
  const useOrArm = (id: string) => {
    if (!powerUp(id).targeted) use(id, null);
    else arm(armed === id ? null : id);
  };
  return (
    <>
      <GameTable
        title="Memory"
        table={{ ...table, act: choose }}
        kit={kitFor(view)}
        board={(props) => <Board {...props} aiming={armed !== null} spectacle={spectacle} />}
        hand={(seat) => <Pile owner={OWNERS[seat]} pairs={pairs[seat]} />}
        hint={armed && <Aiming label={powerUp(armed).label} />}
        extra={<Hand hand={hand} usable={usable} armed={armed} onUse={useOrArm} />}
        ways={<Ways belowBoard />}
      />
      <Flights cards={view.cards} />
    </>
  );
}

/** The power-up that waits for its card: it lies ready for one turn only, and Escape takes it back. */
function useArmed(game: string, hand: State["hand"], usable: boolean) {
  const [armed, arm] = useState<{ id: string; game: string } | null>(null);
  const held = armed?.game === game && hand.some(({ powerUpId }) => powerUpId === armed.id);
  if (armed !== null && !(held && usable)) arm(null);
  useEscape(() => arm(null));
  const id = held && usable ? armed.id : null;
  return [id, (next: string | null) => arm(next === null ? null : { id: next, game })] as const;
}

function Aiming({ label }: { label: string }) {
  return (
    <p>
      Pick a card for {label}. <span className="pointer-coarse:hidden">Escape to keep it.</span>
      <span className="hidden pointer-coarse:inline">Tap it again to keep it.</span>
    </p>
  );
}

const OWNERS = ["you", "opponent"] as const satisfies Record<Seat, string>;

function Pile({ owner, pairs }: { owner: (typeof OWNERS)[Seat]; pairs: number }) {
  return (
    <span
      data-pile={owner}
      className="text-display grid min-w-14 place-items-center text-4xl leading-none tabular wide:text-5xl"
    >
      <span className="sr-only">{pairs === 1 ? "1 pair" : `${pairs} pairs`}</span>
      <span aria-hidden="true">{pairs}</span>
    </span>
  );
}

function useEscape(escaped: () => void): void {
  const latest = useRef(escaped);
  latest.current = escaped;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => event.key === "Escape" && latest.current();
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, []);
}
