// The tables one left open, of all games at once. Small, since the shelf needs it.
import { useQuery } from "@tanstack/react-query";
import { api } from "@/core/api";
import { useSession } from "@/core/session";
import type { OpenTable } from "@/core/wire";

export const OPEN_TABLES = ["play", "tables"] as const;

/** Those of one game, the newest first. */
export function useOpenTables(game: string): OpenTable[] {
  const signedIn = useSession() !== null;
  const { data = [] } = useQuery({
    queryKey: OPEN_TABLES,
    queryFn: ({ signal }) => api.get<OpenTable[]>("/api/play/tables", { signal }),
    enabled: signedIn,
  });
  return data.filter((table) => table.game === game);
}
