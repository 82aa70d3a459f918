// The games on the shelf, in the order they stand there: every folder beside this file that has a `game.ts`.
import { onShelf } from "@/host/on-shelf";
import type { Game } from "./game";

const found = import.meta.glob<Game>("./*/game.ts", { eager: true, import: "game" });

export const games: readonly Game[] = Object.values(found)
  .sort((one, other) => one.order - other.order)
  .map(onShelf);
