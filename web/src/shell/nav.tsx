// The way from anywhere to any game and to the wallet: a rail at the left of a wide screen, a menu
// beside the name on a narrow one.
import { clsx } from "clsx";
import { ChevronDown, Coins } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { useLocation } from "wouter";
import { useConfig } from "@/core/config";
import { games } from "@/games/registry";
import { Menu, MenuItem } from "@/ui/menu";
import { isWithin } from "./at-hand";
import { PlayLink, useComeIn } from "./play-link";

interface Entry {
  href: string;
  label: string;
  picture: ReactNode;
}

const WALLET: Entry = {
  href: "/wallet",
  label: "Wallet",
  picture: (
    <span className="grid size-full place-items-center bg-brass text-ink-dark">
      <Coins aria-hidden="true" className="size-[62%]!" />
    </span>
  ),
};

function useEntries(): Entry[] {
  const served = useConfig()?.games;
  const playable = games.filter(({ key, Page }) => Page && (!served || served.includes(key)));
  return [
    ...playable.map(({ route, title, Lid }) => ({
      href: route,
      label: title,
      picture: <Lid />,
    })),
    WALLET,
  ];
}

const wideScreen = window.matchMedia("(width >= 64rem)");

function useWide(): boolean {
  return useSyncExternalStore(
    (hear) => {
      wideScreen.addEventListener("change", hear);
      return () => wideScreen.removeEventListener("change", hear);
    },
    () => wideScreen.matches,
  );
}

export function Rail() {
  const wide = useWide();
  const entries = useEntries();
  const [path] = useLocation();
  if (!wide) return null;
  return (
    <nav
      aria-label="Games"
      className="sticky top-0 flex w-(--rail) shrink-0 flex-col items-center gap-1.5 self-start pt-3 pb-6 pl-2"
    >
      {entries.map(({ href, label, picture }) => {
        const here = isWithin(path, href);
        return (
          <PlayLink
            key={href}
            href={href}
            aria-current={here ? "page" : undefined}
            className={clsx(
              "flex w-full flex-col items-center gap-1 rounded-plastic px-1 py-2 text-center text-sm leading-tight font-bold",
              here ? "well text-text" : "text-soft hover:text-text",
            )}
          >
            <Thumbnail>{picture}</Thumbnail>
            {label}
          </PlayLink>
        );
      })}
    </nav>
  );
}

export function NavMenu() {
  const wide = useWide();
  const entries = useEntries();
  const [path, go] = useLocation();
  const comeIn = useComeIn();
  if (wide) return null;
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label="Games and wallet"
          className="-mx-1.5 grid size-11 cursor-pointer place-items-center rounded-xl text-soft"
        >
          <ChevronDown aria-hidden="true" className="size-6" />
        </button>
      }
    >
      {entries.map(({ href, label, picture }) => (
        <MenuItem
          key={href}
          aria-current={isWithin(path, href) ? "page" : undefined}
          className={isWithin(path, href) ? "text-text-green" : ""}
          onSelect={() => (comeIn ? void comeIn(href) : go(href))}
        >
          <Thumbnail>{picture}</Thumbnail>
          {label}
        </MenuItem>
      ))}
    </Menu>
  );
}

/** A box lid, as small as a stamp. */
function Thumbnail({ children }: { children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className="block size-11 shrink-0 overflow-hidden rounded-[9px] shadow-[0_3px_0_#a98649,2px_5px_7px_rgb(var(--shadow-color)/var(--shadow-strength))] [&>svg]:size-full!"
    >
      {children}
    </span>
  );
}
