// A room's table.
import { useLocation } from "wouter";
import { ratingMove, useRecord } from "@/core/played";
import { asTable } from "./as-table";
import { QuartoTable } from "./quarto-table";
import { isOver } from "./room";
import type { HeldRoom } from "./use-room";
import type { Game } from "./wire";

export function AtTable({ held, game }: { held: HeldRoom; game: Game }) {
  const [, go] = useLocation();
  const record = useRecord("quarto", isOver(game) ? game.id : null);
  const rating = (record && ratingMove(record)) ?? null;
  const table = asTable(game, held, rating, [
    // There is no queue in which to look for anybody.
    { kind: "anyone", label: "New opponent", begin: () => go("/") },
  ]);
  return <QuartoTable table={table} status={held.status} finalCall={held.room.finalCall} />;
}
