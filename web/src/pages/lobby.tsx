// The shelf: a box for each game, who is playing, and one big button each.
import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { api } from "@/core/api";
import { useConfig } from "@/core/config";
import { useMe } from "@/core/me";
import { useTitle } from "@/core/title";
import type { Lobby as LobbyAnswer } from "@/core/wire";
import type { Game, OpenGame } from "@/games/game";
import { games } from "@/games/registry";
import { useOpenTables } from "@/host/open-tables";
import { PlayLink } from "@/shell/play-link";
import { RulesButton } from "@/shell/rules-button";
import { BoxLid } from "@/ui/box-lid";
import { Button } from "@/ui/button";

const REFRESH_MS = 15_000;
const MOST_ACROSS = 5;
/** As few shelves as will do, and as many boxes on each of them as on the others. */
const ACROSS = Math.ceil(games.length / Math.ceil(games.length / MOST_ACROSS));

export default function Lobby() {
  useTitle("");
  const me = useMe();
  const config = useConfig();
  const counted = useQuery({
    queryKey: ["lobby"],
    queryFn: ({ signal }) => api.get<LobbyAnswer>("/api/lobby", { signal, anonymous: true }),
    refetchInterval: REFRESH_MS,
    retry: false,
  }).data;
  return (
    <main className="mx-auto flex w-full max-w-330 flex-1 flex-col justify-center px-2 pt-2 pb-10 sm:px-6 wide:pb-3">
      <h1 className="px-3 text-3xl leading-tight sm:text-5xl">What shall we play?</h1>
      <p className="mb-5 min-h-7 px-3 text-lg text-soft sm:mb-8 sm:text-xl">
        {me ? `Good to see you, ${me.username}.` : "Games for two. Pick a box."}
      </p>
      <ul
        className="shelf grid grid-cols-2 wide:grid-cols-[repeat(var(--across),minmax(0,1fr))]"
        style={{ "--across": ACROSS } as CSSProperties}
      >
        {games.map((game) => (
          <Box
            key={game.key}
            game={game}
            served={config === undefined || config.games.includes(game.key)}
            playing={counted?.playing[game.key]}
            waiting={counted?.waiting[game.key]}
          />
        ))}
      </ul>
    </main>
  );
}

interface BoxProps {
  game: Game;
  /** Whether this server plays it. */
  served: boolean;
  playing: number | undefined;
  /** Who looks for an opponent. */
  waiting: number | undefined;
}

const noOpenGame = () => null;

/** The newest of what the user left open in a game. */
function useResume(game: Game): OpenGame | null {
  const tables = useOpenTables(game.key);
  const useOpenGame = game.useOpenGame ?? noOpenGame;
  const kept = useOpenGame();
  for (const table of tables) {
    const href = game.resume?.(table);
    if (href) {
      const { opponent } = table;
      return { href, label: opponent === null ? "Waiting for your friend" : `against ${opponent}` };
    }
  }
  return kept;
}

function Box({ game, served, playing, waiting }: BoxProps) {
  const open = useResume(game);
  const playable = game.Page !== undefined && served;
  const href = open?.href ?? game.route;
  return (
    <li data-game={game.key} className="group row-span-3 grid grid-rows-subgrid gap-y-0">
      <div className="px-2 sm:px-4">
        {playable ? (
          <PlayLink href={href} tabIndex={-1} aria-hidden="true" className="block w-full">
            <Lid game={game} />
          </PlayLink>
        ) : (
          <div className="w-full opacity-80 saturate-50">
            <Lid game={game} />
          </div>
        )}
      </div>
      <div className="plank relative mb-5">
        <PriceTag>{playable ? whoIsThere(playing, waiting) : "Two players"}</PriceTag>
      </div>
      <div className="mb-7 flex flex-col gap-2.5 px-2 sm:px-4">
        <h2 className="sr-only">{game.title}</h2>
        <p className="hidden flex-1 text-center text-base text-balance text-soft sm:block">
          {game.tagline}
        </p>
        <div className="flex items-stretch gap-2">
          {playable ? (
            <Button
              asChild
              size="large"
              color={open ? "yellow" : "green"}
              className="min-w-0 flex-1 px-2! max-sm:text-lg"
            >
              <PlayLink href={href}>
                {open ? "Resume" : "Play"}
                <span className="sr-only">
                  {" "}
                  {game.title} {open?.label}
                </span>
              </PlayLink>
            </Button>
          ) : (
            <p className="well text-display grid min-h-17 flex-1 place-items-center px-2 text-center text-base text-soft sm:text-lg">
              Soon on the shelf
            </p>
          )}
          <RulesButton game={game} className="h-auto! w-11!" />
        </div>
      </div>
    </li>
  );
}

/** Who waits is told first: they play at once with whoever comes. */
function whoIsThere(playing: number | undefined, waiting: number | undefined): string {
  if (playing === undefined || waiting === undefined) return "Two players";
  if (waiting > 0)
    return playing > 0 ? `${waiting} waiting · ${playing} playing` : `${waiting} waiting`;
  return playing === 0 ? "Be the first" : `${playing} playing now`;
}

/** Hangs on the edge of the shelf below its box. */
function PriceTag({ children }: { children: string }) {
  return (
    <span className="absolute top-1.5 left-1/2 -translate-x-1/2 -rotate-1 rounded-[5px] bg-[#fffdf5] px-3 py-0.5 text-sm font-extrabold whitespace-nowrap text-[#5b4620] dark:bg-[#e9dab8] shadow-[1px_2px_3px_rgb(40_22_0/0.4)]">
      {children}
    </span>
  );
}

function Lid({ game }: { game: Game }) {
  return (
    <div className="transition-transform duration-300 ease-out group-has-[a]:group-hover:-translate-y-2 group-has-[a]:group-hover:-rotate-1">
      <BoxLid title={game.title} print={`2 players · ${game.duration}`}>
        <game.Lid />
      </BoxLid>
    </div>
  );
}
