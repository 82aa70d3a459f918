// The matches that are over, newest first, page by page.
import { useInfiniteQuery } from "@tanstack/react-query";
import { useMe } from "@/core/me";
import { sayError } from "@/core/words";
import { ShowOlder } from "@/ui/show-older";
import { Spinner } from "@/ui/spinner";
import { calls, cursorOf } from "./calls";
import { GameRow } from "./game-row";
import { isOver } from "./match";
import { keys } from "./news";

export function Played() {
  const me = useMe();
  const list = useInfiniteQuery({
    queryKey: keys.played,
    queryFn: ({ signal, pageParam }) => calls.matches(pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => cursorOf(last.next),
  });
  const { data, error } = list;
  if (error) return <p className="text-lg text-soft">{sayError(error)}</p>;
  if (!data || !me) return <Spinner label="Looking them up" />;
  // The list is of all matches; those still played stand elsewhere.
  const over = data.pages.flatMap((page) => page.results).filter(isOver);
  return (
    <>
      {over.length === 0 ? (
        <p className="text-lg text-soft">None yet. Challenge somebody.</p>
      ) : (
        <ul className="flex flex-col gap-2.5">
          {over.map((match) => (
            <GameRow key={match.id} match={match} userId={me.number} />
          ))}
        </ul>
      )}
      <ShowOlder list={list} />
    </>
  );
}
