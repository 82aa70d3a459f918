// The Connect 4 games one finished, newest first, ten at a time.
import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useMe } from "@/core/me";
import { signed } from "@/core/played";
import type { Game } from "@/core/wire";
import { sayError } from "@/core/words";
import { day, NonePlayed, outcomes } from "@/shell/played-list";
import { ShowOlder } from "@/ui/show-older";
import { Spinner } from "@/ui/spinner";
import { calls } from "./calls";
import { Chip, ChipPaints } from "./chip";
import { otherPlayer, playerAt, ratingChange, seatOf, sideOf, winnerOf } from "./sides";

const PAGE = 10;

export default function Connect4History() {
  const me = useMe();
  const list = useInfiniteQuery({
    queryKey: ["connect4", "history"],
    queryFn: ({ signal, pageParam }) => calls.played(PAGE, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ games }) => (games.length < PAGE ? undefined : games.at(-1)?.id),
  });
  const { data, error } = list;
  if (error) return <p className="py-10 text-center text-lg text-soft">{sayError(error)}</p>;
  if (!data || !me) return <Spinner label="Looking them up" />;
  const games = data.pages.flatMap((page) => page.games);
  if (games.length === 0) {
    return (
      <NonePlayed
        none="No games yet. The first one is the hardest to start."
        start={{ href: "/connect4", label: "Play Connect 4" }}
      />
    );
  }
  return (
    <>
      <ChipPaints />
      <ul className="flex flex-col gap-2.5">
        {games.map((game) => (
          <Played key={game.id} game={game} userId={me.id} />
        ))}
      </ul>
      <ShowOlder list={list} />
    </>
  );
}

const moves = (count: number): string => (count === 1 ? "1 move" : `${count} moves`);

function Played({ game, userId }: { game: Game; userId: string }) {
  const seat = seatOf(game, userId) ?? 1;
  const winner = winnerOf(game);
  const { word, tone } = outcomes[winner === null ? "drawn" : winner === seat ? "won" : "lost"];
  const opponent = playerAt(game, otherPlayer(seat))?.username ?? "Nobody";
  const delta = ratingChange(game, seat)?.delta ?? 0;
  return (
    <li>
      <Link
        href={`/connect4/game/${game.publicId}`}
        className="well pressable flex min-h-16 items-center gap-3.5 px-4 py-2"
      >
        <Chip side={sideOf(seat)} className="size-10 shrink-0" />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-lg leading-tight">
            <span className={`text-display ${tone}`}>{word}</span> against{" "}
            <span className="font-bold">{opponent}</span>
          </span>
          <span className="block text-base text-soft">
            {game.completedAt && day.format(new Date(game.completedAt))} ·{" "}
            {moves(game.moves.length)}
            {game.endedReason === "ABANDONED" && " · by absence"}
          </span>
        </span>
        <span className={`text-display text-xl tabular ${tone}`}>{signed(delta)}</span>
      </Link>
    </li>
  );
}
