// The games of Memory one finished, for the page of all games played.
import type { PlayedRecord } from "@/core/wire";
import { PlayedList } from "@/shell/played-list";
import { byOf } from "./ending";

const reasons = { leaving: "by leaving", absence: "by absence", pairs: undefined };

export default function MemoryHistory() {
  return (
    <PlayedList
      game="memory"
      none="No games yet. There is a pair waiting for you."
      start={{ href: "/memory", label: "Play Memory" }}
      mark={(record) => <Score record={record} />}
      href={({ game_id }) => `/memory/game/${game_id}`}
      reasons={(record) => reasons[byOf(record)]}
    />
  );
}

function Score({ record }: { record: PlayedRecord }) {
  const scores = [record.player0_score ?? "–", record.player1_score ?? "–"];
  const shown = record.your_index === 0 ? scores : scores.reverse();
  return <span className="text-display w-16 shrink-0 text-2xl tabular">{shown.join(":")}</span>;
}
