// The games of Memory one finished, newest first.
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { api } from "@/core/api";
import type { PlayedRecord } from "@/core/wire";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";

export default function MemoryHistory() {
  const { data, error } = useQuery({
    queryKey: ["memory", "history"],
    queryFn: ({ signal }) => api.get<PlayedRecord[]>("/api/history?game=memory", { signal }),
  });
  if (error) return <p className="py-10 text-center text-lg text-soft">{sayError(error)}</p>;
  if (!data) return <Spinner label="Looking them up" />;
  if (data.length === 0) {
    return (
      <div className="flex flex-col items-center gap-4 py-12 text-center">
        <p className="text-lg text-soft">No games yet. There is a pair waiting for you.</p>
        <Button asChild color="green">
          <Link href="/memory">Play Memory</Link>
        </Button>
      </div>
    );
  }
  return (
    <ul className="flex flex-col gap-2.5">
      {data.map((record) => (
        <Played key={record.id} record={record} />
      ))}
    </ul>
  );
}

const outcomes = {
  won: { word: "Won", tone: "text-text-green" },
  lost: { word: "Lost", tone: "text-text-red" },
  drawn: { word: "Draw", tone: "text-soft" },
};

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

const reasons: Record<string, string> = {
  opponent_left: " · by leaving",
  opponent_disconnected: " · by absence",
};

function Played({ record }: { record: PlayedRecord }) {
  const first = record.your_index === 0;
  const winner = record.winner_index;
  const outcome = winner === null ? "drawn" : winner === record.your_index ? "won" : "lost";
  const { word, tone } = outcomes[outcome];
  const opponent = (first ? record.player1_name : record.player0_name).replace(/^ai:/, "");
  const [mine, theirs] = first
    ? [record.player0_score, record.player1_score]
    : [record.player1_score, record.player0_score];
  const before = first ? record.player0_elo_before : record.player1_elo_before;
  const after = first ? record.player0_elo_after : record.player1_elo_after;
  const delta = before === null || after === null ? 0 : after - before;
  return (
    <li className="well flex min-h-16 items-center gap-3.5 px-4 py-2">
      <span className="text-display w-16 shrink-0 text-2xl tabular">
        {mine ?? "–"}:{theirs ?? "–"}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-lg leading-tight">
          <span className={`text-display ${tone}`}>{word}</span> against{" "}
          <span className="font-bold">{opponent}</span>
        </span>
        <span className="block text-base text-soft">
          {day.format(new Date(record.played_at))}
          {reasons[record.end_reason] ?? ""}
        </span>
      </span>
      <span className={`text-display text-xl tabular ${tone}`}>
        {delta > 0 ? "+" : delta < 0 ? "−" : "±"}
        {Math.abs(delta)}
      </span>
    </li>
  );
}
