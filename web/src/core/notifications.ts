// What happened while the user looked elsewhere: pushed by a socket, fetched where that is down.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api";
import { useMe } from "./me";
import { useLive } from "./use-live";
import type { Notification, NotificationPage } from "./wire";

const KEY = ["notifications"] as const;
const POLL_MS = 30_000;

/** Null where there are none to be had; `wanted` says whether any game here sends some. */
export function useNotifications(wanted: boolean): readonly Notification[] | null {
  const me = useMe();
  const queries = useQueryClient();
  const refetch = () => void queries.invalidateQueries({ queryKey: KEY });
  const { status } = useLive({
    path: wanted && me ? `/ws/notifications/${me.id}` : null,
    hear: refetch,
  });
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<NotificationPage>("/api/notifications", { signal }),
    enabled: wanted && me !== undefined,
    refetchInterval: status === "open" ? false : POLL_MS,
  });
  return query.data?.results ?? null;
}

export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => api.post(`/api/notifications/${id}/read`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}
