// A game that was played, as its table stood when it ended. For games whose own line ends with them.
import { useQuery } from "@tanstack/react-query";
import { ApiError, api } from "@/core/api";
import type { PlayTable, Seat } from "@/core/wire";
import type { Ended, Person, RatingMove, TableModel } from "@/table/model";

/** `gone`: nobody knows it any more, or it is not over. */
export function usePast(match: string): { table: PlayTable | undefined; gone: boolean } {
  const { data, error } = useQuery({
    queryKey: ["play", "past", match],
    queryFn: ({ signal }) =>
      api.get<PlayTable>(`/api/play/tables/${encodeURIComponent(match)}`, { signal }),
  });
  const refused = error instanceof ApiError && !error.unreachable;
  const over = data?.status === "finished";
  return { table: over ? data : undefined, gone: refused || (data !== undefined && !over) };
}

export const personIn = ({ players, result }: PlayTable, seat: Seat): Person => {
  const player = players[seat];
  const rating = player?.rating ?? null;
  return {
    name: player?.name ?? "Nobody",
    bot: player?.bot != null,
    rating: rating === null ? null : rating + (result?.rating_changes[seat] ?? 0),
    presence: null,
  };
};

/** What it did to the rating of who sat there. */
export function ratingIn({ players, result }: PlayTable, seat: Seat | null): RatingMove | null {
  if (seat === null) return null;
  const by = result?.rating_changes[seat] ?? null;
  const before = players[seat]?.rating ?? null;
  return by === null || before === null ? null : { by, to: before + by };
}

interface Past<View> {
  players: readonly [Person, Person];
  /** Where one sat. */
  seat: Seat | null;
  view: View;
  ended: Ended;
}

/** There is nothing left to do at it. */
export function pastTable<View, Action>(id: string, past: Past<View>): TableModel<View, Action> {
  const { players, seat, view, ended } = past;
  return {
    id,
    players,
    seats: seat === null ? [] : [seat],
    turn: null,
    time: null,
    view,
    legal: [],
    chosen: null,
    told: null,
    task: null,
    ended,
    next: null,
    others: [],
    act: () => undefined,
    resign: null,
    claim: null,
  };
}
