// Which game the page at hand is about, if any.
import { useLocation, useSearch } from "wouter";
import type { Game } from "@/games/game";
import { games } from "@/games/registry";

export const isWithin = (path: string, route: string): boolean =>
  path === route || path.startsWith(`${route}/`);

export function useGameAtHand(): Game | null {
  const [path] = useLocation();
  const asked = new URLSearchParams(useSearch()).get("game");
  const found = games.find(
    ({ key, route }) => isWithin(path, route) || (path === "/history" && key === asked),
  );
  return found ?? null;
}
