// Finished games of one kind, as the server remembers them for the one who asks.
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { api } from "./api";
import { useSession } from "./session";
import type { PlayedRecord } from "./wire";

const PAGE = 30;

/** The newest, or those before the one named. */
function asked(game: string, limit: number, before: string | null = null): string {
  const rest = before === null ? "" : `&before=${before}`;
  return `/api/history?game=${game}&limit=${limit}${rest}`;
}

export function usePlayed(game: string) {
  return useInfiniteQuery({
    queryKey: ["played", game],
    queryFn: ({ signal, pageParam }) =>
      api.get<PlayedRecord[]>(asked(game, PAGE, pageParam), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  });
}

/** What the game that just ended came to; undefined until it is known, and for who has no name here. */
export function useRecord(game: string, gameId: string | null): PlayedRecord | undefined {
  const signedIn = useSession() !== null;
  const { data } = useQuery({
    queryKey: ["played", game, gameId],
    queryFn: ({ signal }) => api.get<PlayedRecord[]>(asked(game, 1), { signal }),
    enabled: signedIn && gameId !== null,
  });
  return data?.find((record) => record.game_id === gameId);
}

/** How one's rating moved, and to where; null: the game was not rated. */
export function ratingMove(record: PlayedRecord): { by: number; to: number } | null {
  const [before, after] =
    record.your_index === 0
      ? [record.player0_elo_before, record.player0_elo_after]
      : [record.player1_elo_before, record.player1_elo_after];
  return before === null || after === null ? null : { by: after - before, to: after };
}

/** "+16", "−7", "±0" */
export const signed = (delta: number): string =>
  `${delta > 0 ? "+" : delta < 0 ? "−" : "±"}${Math.abs(delta)}`;
