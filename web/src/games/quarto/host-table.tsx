// Quarto at the host's table, where the computer plays.
import type { Seat } from "@/core/wire";
import type { HostedTableProps } from "@/games/game";
import type { Help, TableModel } from "@/table/model";
import { legalOf } from "./as-table";
import { endedOf } from "./ending";
import { QuartoTable } from "./quarto-table";
import { actionOf, finalCallAt, gameAt, moveIn } from "./shown";
import type { Game, Move } from "./wire";
import { taskInWords } from "./words";

export function HostTable({ table, shown, status }: HostedTableProps) {
  const game = gameAt(table);
  const seat: Seat | null = shown.seats[0] ?? null;
  const own = shown.seats.length === 1 ? seat : null;
  const { reason } = table.result ?? {};
  const left = reason === "forfeit" || reason === "timeout" ? reason : null;
  const finished = table.status === "finished";
  const model: TableModel<Game, Move> = {
    ...shown,
    view: game,
    // Whether there is a line to call is for the player to see.
    legal: legalOf(game, seat),
    chosen: shown.chosen === null ? null : moveIn(shown.chosen),
    task: taskInWords(game, own),
    ended: shown.ended && finished ? endedOf(game, own, left, shown.ended.rating) : shown.ended,
    act: (move) => shown.act(actionOf(move)),
    help: shown.help ? helpOf(shown.help) : null,
  };
  return <QuartoTable table={model} status={status} finalCall={finalCallAt(table.view)} />;
}

const helpOf = ({ advice, ...asked }: Help): Help<Move> => ({
  ...asked,
  advice: advice && { ...advice, action: moveIn(advice.action) },
});
