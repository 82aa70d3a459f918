// Memory at the table: the cards, each player's pile, the power-ups in the hand.
import { useEffect, useRef } from "react";
import { ratingMove, useRecord } from "@/core/played";
import type { Seat } from "@/core/wire";
import { GameTable } from "@/table/game-table";
import { asTable, type Held } from "./as-table";
import { Board } from "./board";
import { Flights } from "./flights";
import { Hand } from "./hand";
import { kitFor } from "./kit";
import { mayUseAny } from "./memory";
import { powerUp } from "./power-ups";
import type { useMemory } from "./use-memory";
import { useNotices, useSpectacle } from "./use-notices";
import { Ways } from "./ways";
import { useWhatNext } from "./what-next";

interface AtTableProps {
  held: Held;
  actions: Pick<
    ReturnType<typeof useMemory>,
    "flip" | "arm" | "use" | "leaveGame" | "again" | "follow"
  >;
}

export function AtTable({ held, actions }: AtTableProps) {
  const { found, state, armed, ending } = held;
  const { flip, arm, use, leaveGame } = actions;
  const after = useWhatNext(ending && found.gameId, actions);
  const record = useRecord("memory", ending && found.gameId);
  const spectacle = useSpectacle(held);
  useNotices(held);
  useEscape(() => arm(null));

  const choose = (index: number) => {
    if (armed === null) {
      flip(index);
    } else {
      use(armed, index);
      arm(null);
    }
  };
  const useOrArm = (id: string) => {
    if (!powerUp(id).targeted) use(id);
    else arm(armed === id ? null : id);
  };
  const rating = record ? ratingMove(record) : null;
  const table = asTable(held, rating, after, { choose, leave: leaveGame });
  return (
    <>
      <GameTable
        title="Memory"
        table={table}
        kit={kitFor(table.view)}
        board={(props) => <Board {...props} aiming={armed !== null} spectacle={spectacle} />}
        hand={(seat) => <Pile owner={OWNERS[seat]} pairs={state[OWNERS[seat]].score} />}
        hint={armed && <Aiming label={powerUp(armed).label} />}
        extra={<Hand hand={state.hand} usable={mayUseAny(state)} armed={armed} onUse={useOrArm} />}
        ways={<Ways belowBoard />}
      />
      <Flights cards={state.cards} />
    </>
  );
}

function Aiming({ label }: { label: string }) {
  return (
    <p>
      Pick a card for {label}. <span className="pointer-coarse:hidden">Escape to keep it.</span>
      <span className="hidden pointer-coarse:inline">Tap it again to keep it.</span>
    </p>
  );
}

const OWNERS = ["you", "opponent"] as const satisfies Record<Seat, keyof Held["state"]>;

export function Pile({ owner, pairs }: { owner: (typeof OWNERS)[Seat]; pairs: number }) {
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
