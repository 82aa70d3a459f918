// What happened while the user looked elsewhere: pushed by a socket, fetched whenever that opens.
import { type QueryClient, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api";
import { useMe } from "./me";
import { amend, refresh } from "./refresh";
import type { components as sockets } from "./sockets.gen";
import { useLive } from "./use-live";
import type { Notification, NotificationPage } from "./wire";

type Heard = sockets["schemas"]["NotificationsHeard"];

const KEY = ["notifications"] as const;
/** As many as the server gives at once. */
const PAGE_SIZE = 100;

/** The newest, and how many older ones are unread, as far as the server has said. */
interface Held extends NotificationPage {
  olderUnread: number;
}

export interface News {
  list: readonly Notification[];
  unread: number;
}

const unreadIn = (list: readonly Notification[]): number =>
  list.filter((one) => !one.is_read).length;

/** Null where there are none to be had; `wanted` says whether any game here sends some. */
export function useNotifications(
  wanted: boolean,
  arrived: (notification: Notification) => void,
): News | null {
  const me = useMe();
  const queries = useQueryClient();
  useLive({
    path: wanted && me ? `/ws/notifications/${me.id}` : null,
    hear: (message) => {
      const heard = message as Heard;
      // Let in, again perhaps: what came before that is in the list.
      if (heard.type === "auth_ok") void refresh(queries, KEY);
      if (heard.type !== "create.notification") return;
      holdNew(queries, heard.notification, heard.total_unread_count);
      arrived(heard.notification);
    },
  });
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => fetchHeld(signal),
    enabled: wanted && me !== undefined,
  });
  return data ? { list: data.results, unread: unreadIn(data.results) + data.olderUnread } : null;
}

async function fetchHeld(signal: AbortSignal): Promise<Held> {
  const path = `/api/notifications?page_size=${PAGE_SIZE}`;
  const page = await api.get<NotificationPage>(path, { signal });
  return { ...page, olderUnread: Math.max(0, page.unread_count - unreadIn(page.results)) };
}

function holdNew(queries: QueryClient, notification: Notification, total: number): void {
  amend<Held>(queries, KEY, (held) => {
    const known = held.results.some(({ id }) => id === notification.id);
    const results = known ? held.results : [notification, ...held.results];
    return { ...held, results, olderUnread: Math.max(0, total - unreadIn(results)) };
  });
  // More unread ones in the list than there are at all: some have been read elsewhere.
  const listed = queries.getQueryData<Held>(KEY)?.results ?? [];
  if (unreadIn(listed) > total) void refresh(queries, KEY);
}

export function useMarkRead() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: number) => api.post(`/api/notifications/${id}/read`),
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
}

/** For what the server took for read because of what somebody did. */
export function useRefreshNotifications(): () => void {
  const queries = useQueryClient();
  return () => void queries.invalidateQueries({ queryKey: KEY });
}

/** Marks as read what somebody has dealt with elsewhere. */
export function useMarkDealtWith(): (isIt: (notification: Notification) => boolean) => void {
  const queries = useQueryClient();
  const { mutate } = useMarkRead();
  return (isIt) => {
    for (const one of queries.getQueryData<Held>(KEY)?.results ?? []) {
      if (!one.is_read && isIt(one)) mutate(one.id);
    }
  };
}
