// The bell: what is new, newest first.
import { Bell } from "lucide-react";
import { useLocation } from "wouter";
import { useConfig } from "@/core/config";
import { useMarkRead, useNotifications } from "@/core/notifications";
import { play } from "@/core/sound";
import type { Notification } from "@/core/wire";
import type { Notice } from "@/games/game";
import { games } from "@/games/registry";
import { Button } from "@/ui/button";
import { Menu, MenuItem, MenuLabel } from "@/ui/menu";
import { toast } from "@/ui/toast";

function inWords(notification: Notification): Notice {
  for (const game of games) {
    const words = game.notice?.(notification);
    if (words) return words;
  }
  return { text: "There is something new for you.", href: "/" };
}

export function Notifications() {
  const served = useConfig()?.games ?? [];
  const wanted = games.some(({ key, notice }) => notice && served.includes(key));
  const news = useNotifications(wanted, (notification) => {
    toast(inWords(notification).text);
    play("chime");
  });
  const { mutate: markRead } = useMarkRead();
  const [, go] = useLocation();
  if (news === null) return null;
  const { list, unread } = news;
  return (
    <Menu
      className="max-h-(--radix-dropdown-menu-content-available-height) w-80 max-w-[calc(100vw-1.5rem)] overflow-y-auto"
      trigger={
        <Button size="icon" aria-label={unread ? `Notifications, ${unread} new` : "Notifications"}>
          <Bell aria-hidden="true" />
          {unread > 0 && (
            <span className="text-display absolute -top-1.5 -right-1.5 grid h-6 min-w-6 place-items-center rounded-full bg-[#d8313a] px-1 text-sm text-white shadow-[inset_0_1px_0_var(--color-red-light),0_2px_0_#8f161d]">
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
