// The game of Connect 4 the user left open, if any. Small, since the shelf needs it.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/core/api";
import { useSession } from "@/core/session";
import type { ActiveGame } from "@/core/wire";
import { useOpenTables } from "@/host/open-tables";
import type { OpenGame } from "../game";

export const ACTIVE_GAME = ["connect4", "active"] as const;

export function useOpenGame(): OpenGame | null {
  const signedIn = useSession() !== null;
  const game = useQuery({
    queryKey: ACTIVE_GAME,
    queryFn: ({ signal }) => api.get<ActiveGame>("/api/users/me/active-game", { signal }),
    enabled: signedIn,
  }).data?.activeGame;
  const table = useOpenTables("connect4").find(({ mode }) => mode !== "online");
  if (!game) {
    return table
      ? { href: `/connect4/game/${table.match}`, label: `Resume against ${table.opponent}` }
      : null;
  }
  return {
    href: `/connect4/game/${game.publicId}`,
    label: game.status === "WAITING" ? "Waiting for your friend" : "Your game is still on",
  };
}
