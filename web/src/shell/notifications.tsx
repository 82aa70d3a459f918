// The bell: what is new, newest first.
import { useQueryClient } from "@tanstack/react-query";
import { Bell } from "lucide-react";
import { useEffect } from "react";
import { useLocation } from "wouter";
import { useConfig } from "@/core/config";
import { useMarkRead, useNotifications } from "@/core/notifications";
import { play } from "@/core/sound";
import type { Notification } from "@/core/wire";
import type { Notice, Resumable } from "@/games/game";
import { games } from "@/games/registry";
import { OPEN_TABLES } from "@/host/open-tables";
import { Button } from "@/ui/button";
import { Menu, MenuItem, MenuLabel } from "@/ui/menu";
import { toast } from "@/ui/toast";

function inWords(notification: Notification): Notice {
  const begun = begunIn(notification);
  if (begun) return begun;
  for (const game of games) {
    const words = game.notice?.(notification);
    if (words) return words;
  }
  return { text: "There is something new for you.", href: "/", state: null };
}

/** Somebody sat down where the user waited, or took up their challenge. */
function begunIn({ notification_type, payload }: Notification): Notice | null {
  if (notification_type !== "GAME_BEGUN") return null;
  const table = payload as unknown as Resumable & { opponent: string };
  const game = games.find(({ key }) => key === table.game);
  if (game === undefined) return null;
  return {
    text: `${table.opponent} is at the table. ${game.title} begins.`,
    href: game.resume?.({ ...table, status: "active" }) ?? game.route,
  };
}

export function Notifications() {
  const wanted = useConfig() !== undefined;
  const queries = useQueryClient();
  const [path, go] = useLocation();
  const news = useNotifications(wanted, (notification) => {
    void queries.invalidateQueries({ queryKey: OPEN_TABLES });
    const { text, href, state } = inWords(notification);
    if (href === path && state === undefined) return;
    toast(text, "plain", { href, state, label: "Go there" });
    play("chime");
  });
  const { mutate: markRead } = useMarkRead();
  // Who is where it leads has seen it, unless something is to be answered there.
  const seen = news?.list.find((notification) => {
    const { href, state } = inWords(notification);
    return !notification.is_read && href === path && state === undefined;
  });
  useEffect(() => {
    if (seen) markRead(seen.id);
  }, [seen, markRead]);
  if (news === null) return null;
  const { list, unread } = news;
  return (
    <Menu
      className="max-h-(--radix-popper-available-height) w-80 max-w-[calc(100vw-1.5rem)] overflow-y-auto"
      trigger={
        <Button size="icon" aria-label={unread ? `Notifications, ${unread} new` : "Notifications"}>
          <Bell aria-hidden="true" />
          {unread > 0 && (
            <span className="text-display absolute -top-1.5 -right-1.5 short:top-0 grid h-6 min-w-6 place-items-center rounded-full bg-[#d8313a] px-1 text-sm text-white shadow-[inset_0_1px_0_var(--color-red-light),0_2px_0_#8f161d]">
              {unread > 9 ? "9+" : unread}
            </span>
          )}
        </Button>
      }
    >
      <MenuLabel>{list.length === 0 ? "Nothing new. Enjoy the quiet." : "New for you"}</MenuLabel>
      {list.map((notification) => {
        const { text, href, state } = inWords(notification);
        return (
          <MenuItem
            key={notification.id}
            className={notification.is_read ? "font-medium text-soft" : ""}
            onSelect={() => {
              if (!notification.is_read) markRead(notification.id);
              go(href, { state });
            }}
          >
            {text}
          </MenuItem>
        );
      })}
    </Menu>
  );
}
