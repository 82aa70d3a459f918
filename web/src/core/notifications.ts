// What happened while the user looked elsewhere: pushed by a socket, fetched whenever that opens.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api";
import { useMe } from "./me";
import { amend, refresh } from "./refresh";
import type { components as sockets } from "./sockets.gen";
import { useLive } from "./use-live";
import type { Notification, NotificationPage } from "./wire";

type Heard = sockets["schemas"]["NotificationsHeard"];

const KEY = ["notifications"] as const;

/** Null where there are none to be had; `wanted` says whether any game here sends some. */
export function useNotifications(
  wanted: boolean,
  arrived: (notification: Notification) => void,
): readonly Notification[] | null {
  const me = useMe();
  const queries = useQueryClient();
  useLive({
    path: wanted && me ? `/ws/notifications/${me.id}` : null,
    hear: (message) => {
      const heard = message as Heard;
      // Let in, again perhaps: what came before that is in the list.
      if (heard.type === "auth_ok") void refresh(queries, KEY);
      if (heard.type !== "create.notification") return;
      const { notification } = heard;
      amend<NotificationPage>(queries, KEY, (page) => {
        if (page.results.some(({ id }) => id === notification.id)) return page;
        return { ...page, count: page.count + 1, results: [notification, ...page.results] };
      });
      arrived(notification);
    },
  });
  const query = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => api.get<NotificationPage>("/api/notifications", { signal }),
    enabled: wanted && me !== undefined,
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
