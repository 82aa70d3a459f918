// After a game with the computer: one that is easier, and one that is harder.
import { keepLastOpponent } from "@/core/last-opponent";
import type { Opponent } from "@/core/wire";
import type { Another } from "./model";

/** `opponents` from the weakest on; `played` is one of them by its name. */
export function nextLevels(
  game: string,
  opponents: readonly Opponent[],
  played: string,
  begin: (name: string) => void,
): readonly Another[] {
  const place = opponents.findIndex(({ name }) => name === played);
  if (place < 0) return [];
  const other = (opponent: Opponent | undefined, how: string): Another[] =>
    opponent === undefined
      ? []
      : [
          {
            kind: "level",
            label: `${how}: ${opponent.title}`,
            begin: () => {
              keepLastOpponent(game, opponent.name);
              begin(opponent.name);
            },
          },
        ];
  return [...other(opponents[place - 1], "Easier"), ...other(opponents[place + 1], "Harder")];
}
