// A friend's code: sits down there, or says that nobody waits.
import { useTitle } from "@/core/title";
import type { Game } from "@/games/game";
import { Closed, SettingUp } from "@/table/no-table";
import type { Refusal } from "./held";

interface ByCodeProps {
  game: Game;
  code: string;
  refused: Refusal | null;
}

export function ByCode({ game, code, refused }: ByCodeProps) {
  useTitle("Sitting down");
  if (refused?.ref !== "join") return <SettingUp title={game.title} label="Sitting down" />;
  const full = refused.code === "GAME_ALREADY_STARTED";
  return (
    <Closed title={game.title} heading={full ? "Both seats are taken" : "Nobody waits here"}>
      {full
        ? `Somebody sat down with the code ${code} before you. Open a table of your own.`
        : `There is no table with the code ${code}. Tables that nobody comes to are put away after a while: ask your friend for a new code.`}
    </Closed>
  );
}
