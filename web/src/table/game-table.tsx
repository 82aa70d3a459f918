// The table while a game is played and after: board, both players, and what one can do now.
import "./table.css";
import { clsx } from "clsx";
import { lazy, type ReactNode, type RefObject, Suspense, useEffect, useRef, useState } from "react";
import { useFreshStanding } from "@/core/standing";
import { useTitle } from "@/core/title";
import type { Seat } from "@/core/wire";
import { Spinner } from "@/ui/spinner";
import { Table } from "@/ui/table";
import { Coach, useCoach } from "./coach";
import { type BoardProps, boardOf, type Kit } from "./kit";
import type { TableModel } from "./model";
import { isMyTurn, nameAt, nearSeat, otherSeat } from "./names";
import { PlayerStrip } from "./player-strip";
import { Playing } from "./playing";
import { Result } from "./result";
import { useTelling } from "./use-telling";

const Look = lazy(() => import("@/look/panel"));

interface GameTableProps<View, Action> {
  /** The game's. */
  title: string;
  table: TableModel<View, Action>;
  kit: Kit<View, Action>;
  /** Drawn by what it is handed, where one can look back at the game. */
  board: ReactNode | ((props: BoardProps<View, Action>) => ReactNode);
  /** At the far end of a player's strip: a hand, a clock, a pile. */
  hand?: (player: Seat) => ReactNode;
  /** Below a player's strip. */
  below?: (player: Seat) => ReactNode;
  hint?: ReactNode;
  tray?: ReactNode;
  extra?: ReactNode;
  cheer?: ReactNode;
  spoils?: ReactNode;
  ways?: ReactNode;
}

export function GameTable<View, Action>(props: GameTableProps<View, Action>) {
  const { title, hand, below, hint, tray, extra, cheer, spoils, ways } = props;
  // From here on nobody looks into a view: what does was handed in by the game.
  const table = props.table as TableModel;
  const kit = props.kit as Kit;
  const draw = props.board as ReactNode | ((props: BoardProps) => ReactNode);
  const { ended } = table;
  const [looking, setLooking] = useState(false);
  const [past, setPast] = useState<BoardProps | null>(null);
  const { back } = kit;
  const close = () => {
    setLooking(false);
    setPast(null);
  };
  const face = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLElement>(null);
  useTitle(tabTitle(table));
  useTelling(table);
  useBoardInSight(face, sheet, ended !== null);
  useFreshStanding(ended !== null);
  const tip = useCoach(title, table, kit);

  const player = (seat: Seat) => (
    <>
      <PlayerStrip table={table} kit={kit} player={seat}>
        {hand?.(seat)}
      </PlayerStrip>
      {below?.(seat)}
    </>
  );
  const near = nearSeat(table);
  return (
    <Table
      name={`${title}: ${nameAt(table, 0)} against ${nameAt(table, 1)}`}
      ratio={kit.ratio}
      board={
        <div ref={face} className={clsx("table-face", past && "pointer-events-none")}>
          {typeof draw === "function" ? draw(past ?? boardOf(table)) : draw}
        </div>
      }
      opponent={player(otherSeat(near))}
      you={player(near)}
      actions={
        ended && looking && back ? (
          <Suspense fallback={<Spinner label="Setting up the board" />}>
            <Look table={table} back={back} show={setPast} close={close} />
          </Suspense>
        ) : ended ? (
          <Result
            ref={sheet}
            table={table}
            ended={ended}
            cheer={cheer}
            spoils={spoils}
            look={back ? () => setLooking(true) : null}
            ways={ways}
          />
        ) : (
          <Playing
            table={table}
            hint={tip === null ? hint : <Coach title={title} words={tip} />}
            tray={tray}
            extra={extra}
          />
        )
      }
    />
  );
}

function tabTitle(table: TableModel): string {
  if (table.ended) return table.ended.title;
  if (table.turn === null) return "";
  return isMyTurn(table) ? "Your turn" : `${nameAt(table, table.turn)} to move`;
}

/** The result comes in from below on a small screen; what it is about stays in sight above it. */
function useBoardInSight(
  board: RefObject<HTMLElement | null>,
  sheet: RefObject<HTMLElement | null>,
  over: boolean,
): void {
  const overAtFirst = useRef(over);
  useEffect(() => {
    if (!over || overAtFirst.current) return;
    // As high as who won has a long name.
    board.current?.style.setProperty("--sheet-height", `${sheet.current?.offsetHeight ?? 0}px`);
    board.current?.scrollIntoView?.({ block: "nearest" });
  }, [board, sheet, over]);
}
