// Whom one played last in each game, of those that the computer can be.
import { keptStore, useStore } from "./store";

type Last = Readonly<Record<string, string>>;

const isLast = (kept: unknown): kept is Last =>
  typeof kept === "object" &&
  kept !== null &&
  Object.values(kept).every((name) => typeof name === "string");

const last = keptStore<Last>("opponents", {}, isLast);

export const useLastOpponent = (game: string): string | undefined => useStore(last)[game];

export const keepLastOpponent = (game: string, name: string): void =>
  last.set({ ...last.get(), [game]: name });
