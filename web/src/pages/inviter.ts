// Who waits behind the address that somebody signs in for, and with which game.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/core/api";
import type { WaitingTable } from "@/core/wire";
import { games } from "@/games/registry";
import { isWithin } from "@/shell/at-hand";

/** In words; null: nobody, or nobody says. */
export function useInviter(next: string): string | null {
  const path = next.split("?")[0] ?? "";
  const game = games.find(({ route }) => isWithin(path, route));
  const name = game && path.slice(game.route.length).split("/").filter(Boolean).at(-1);
  const { data } = useQuery({
    queryKey: ["play", "waiting", path],
    queryFn: ({ signal }) =>
      api.get<WaitingTable>(`/api/play/waiting/${game?.key}/${name}`, { signal, anonymous: true }),
    enabled: name !== undefined,
  });
  return data?.by && game ? `${data.by} invites you to ${game.title}.` : null;
}
