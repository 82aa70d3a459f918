// Who plays Memory best, bots among them, and where you stand.
import { useInfiniteQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { Bot } from "lucide-react";
import { Link } from "wouter";
import { api } from "@/core/api";
import { useTitle } from "@/core/title";
import type { LeaderboardEntry, Leaderboard as Standings } from "@/core/wire";
import { sayError } from "@/core/words";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { ShowOlder } from "@/ui/show-older";
import { Spinner } from "@/ui/spinner";
import { Tray } from "@/ui/tray";

export function Leaderboard() {
  useTitle("Best at Memory");
  const list = useInfiniteQuery({
    queryKey: ["memory", "leaderboard"],
    queryFn: ({ signal, pageParam }) =>
      api.get<Standings>(
        `/api/leaderboard?game=memory&limit=20${pageParam === null ? "" : `&after=${pageParam}`}`,
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
  });
  const { data, error } = list;
  return (
    <main className="mx-auto w-full max-w-3xl flex-1 px-3 pt-4 pb-16 sm:px-6">
      <h1 className="mb-4 text-4xl leading-tight">Best at Memory</h1>
      <Tray className="min-h-120">
        {error ? (
          <p className="py-10 text-center text-lg text-soft">{sayError(error)}</p>
        ) : data ? (
          <>
            <Entries
              entries={data.pages.flatMap((page) => page.entries)}
              own={data.pages[0]?.current_user_entry ?? null}
            />
            <ShowOlder list={list} label="Show more" />
          </>
        ) : (
          <Spinner label="Looking them up" />
        )}
      </Tray>
    </main>
  );
}

interface EntriesProps {
  entries: readonly LeaderboardEntry[];
  own: LeaderboardEntry | null;
}

function Entries({ entries, own }: EntriesProps) {
  if (entries.length === 0) {
    return (
      <div className="flex flex-col items-center gap-4 py-12 text-center">
        <p className="text-lg text-soft">Nobody has finished a game yet. Be the first.</p>
        <Button asChild color="green">
          <Link href="/play">Play Memory</Link>
        </Button>
      </div>
    );
  }
  return (
    <ol className="flex flex-col gap-2">
      {entries.map((entry, index) => (
        <Entry key={entry.user_id} entry={entry} place={String(index + 1)} />
      ))}
      {own && !entries.some((entry) => entry.is_current_user) && <Entry entry={own} place="…" />}
    </ol>
  );
}

function Entry({ entry, place }: { entry: LeaderboardEntry; place: string }) {
  const name = entry.display_name.replace(/^ai:/, "");
  return (
    <li
      aria-current={entry.is_current_user || undefined}
      className={clsx(
        "flex min-h-14 items-center gap-3 rounded-plastic px-4 py-2",
        entry.is_current_user ? "plastic plastic-yellow" : "well",
      )}
    >
      <span className="text-display w-8 text-2xl tabular">{place}</span>
      <Avatar name={name} className="size-9 shrink-0" />
      <span className="min-w-0 flex-1">
        <span className="flex items-center gap-1.5 truncate text-lg font-bold">
          {name}
          {entry.is_bot && <Bot aria-label="bot" className="size-5 shrink-0" />}
        </span>
        <span className={clsx("block text-sm tabular", !entry.is_current_user && "text-soft")}>
          {entry.wins} won, {entry.losses} lost, {entry.draws} drawn
        </span>
      </span>
      <span className="text-display text-2xl tabular">{entry.elo}</span>
    </li>
  );
}
