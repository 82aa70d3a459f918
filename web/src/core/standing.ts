// How one stands in a game: rating, and games won, lost and drawn. Nothing before the first one that counts.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api } from "./api";
import { useSession } from "./session";
import type { Leaderboard, LeaderboardEntry } from "./wire";

const STANDING = ["standing"] as const;

export function useStanding(game: string | null): LeaderboardEntry | null {
  const signedIn = useSession() !== null;
  const { data } = useQuery({
    queryKey: [...STANDING, game],
    queryFn: async ({ signal }) => {
      const path = `/api/leaderboard?game=${game}&limit=1`;
      const { entries, current_user_entry } = await api.get<Leaderboard>(path, { signal });
      return entries.find((entry) => entry.is_current_user) ?? current_user_entry;
    },
    enabled: signedIn && game !== null,
    staleTime: 30_000,
  });
  return data ?? null;
}

/** A game that ends moves it. */
export function useFreshStanding(over: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (over) void queries.invalidateQueries({ queryKey: STANDING });
  }, [over, queries]);
}
