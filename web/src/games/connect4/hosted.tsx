// Connect 4 at the host's table, where the computer plays: its board, and how its games are told.
import type { BoardProps } from "@/table/kit";
import { hosted } from "../game";
import { Board } from "./board";
import { kit } from "./kit";
import { type Action, columnIn, columnsIn, type Shown, viewOf } from "./shown";

function HostedBoard(props: BoardProps<Shown, Action>) {
  const { view, legal, chosen, act, advice, ...rest } = props;
  return (
    <Board
      {...rest}
      view={viewOf(view)}
      legal={columnsIn(legal)}
      chosen={chosen && columnIn(chosen)}
      advice={advice ? columnIn(advice) : null}
      act={(column) => act({ type: "drop", column })}
    />
  );
}

export default hosted<Shown, Action>({
  Board: HostedBoard,
  ratio: kit.ratio,
  sides: kit.sides,
  coach: (table) =>
    kit.coach({ ...table, view: viewOf(table.view), legal: columnsIn(table.legal) } as never),
  rules: [],
  back: {
    view: (told) => told as Shown,
    action: (told) => told as Action,
    words: kit.back.words,
  },
  told: ({ action, by }, who) => {
    const done = action as Action | null;
    if (by === null || done?.type !== "drop") return "";
    return `${who(by)}, ${kit.sides[by].name}, column ${done.column + 1}.`;
  },
  endings: {
    CONNECT4: ({ winner }, who) => (winner === null ? "" : `Four in a row for ${who(winner)}.`),
    BOARD_FULL: () => "The board is full.",
    RESIGNED: ({ winner }, who) => (winner === null ? "" : `${who(winner === 0 ? 1 : 0)} gave up.`),
    ABANDONED: ({ winner }, who) =>
      winner === null ? "" : `${who(winner === 0 ? 1 : 0)} left the table.`,
    TIMEOUT: ({ winner }, who) =>
      winner === null ? "" : `${who(winner === 0 ? 1 : 0)} ran out of time.`,
  },
  reasons: { ABANDONED: "by absence", RESIGNED: "by giving up", TIMEOUT: "on time" },
});
