// The Connect 4 games one finished, newest first, ten at a time.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMe } from "@/core/me";
import type { Game } from "@/core/wire";
import { sayError } from "@/core/words";
import { NonePlayed } from "@/shell/played-list";
import { outcomeOf, PlayedRow } from "@/shell/played-row";
import { botName } from "@/table/names";
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

const reasons: Partial<Record<NonNullable<Game["endedReason"]>, string>> = {
  ABANDONED: "by absence",
  RESIGNED: "by giving up",
};
const moves = (count: number): string => (count === 1 ? "1 move" : `${count} moves`);

const COMPUTER = /^ai:/;

function Played({ game, userId }: { game: Game; userId: string }) {
  const seat = seatOf(game, userId) ?? 1;
  const opponent = playerAt(game, otherPlayer(seat));
  const name = opponent?.username ?? "Nobody";
  const bot = COMPUTER.test(opponent?.id ?? "");
  // Who has no account sat at a table of the host's, which goes by its long id.
  const beside = bot || opponent?.id === "local";
  return (
    <PlayedRow
      mark={<Chip side={sideOf(seat)} className="size-10 shrink-0" />}
      outcome={outcomeOf(winnerOf(game), seat)}
      opponent={bot ? botName(name) : name}
      bot={bot}
      at={game.completedAt}
      notes={[
        moves(game.moves.length),
        game.endedReason === null ? undefined : reasons[game.endedReason],
      ]}
      rating={ratingChange(game, seat)?.delta ?? (beside ? null : 0)}
      href={`/connect4/game/${beside ? game.id : game.publicId}`}
    />
  );
}
