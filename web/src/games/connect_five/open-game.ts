// The match of Connect Five that is still on, if any. Small, since the shelf needs it.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/core/api";
import type { components } from "@/core/openapi.gen";
import { useSession } from "@/core/session";
import type { OpenGame } from "../game";

export function useOpenGame(): OpenGame | null {
  const signedIn = useSession() !== null;
  const match = useQuery({
    queryKey: ["connect_five", "matches", "open"],
    queryFn: ({ signal }) =>
      api.get<components["schemas"]["MatchPage"]>(
        "/api/connect-five/matches?status=active&page_size=1",
        { signal },
      ),
    enabled: signedIn,
  }).data?.results[0];
  if (!match) return null;
  return { href: `/connect-five/games/${match.challenge}`, label: "Your game is still on" };
}
