// A friend's code: sits down there, or says that nobody waits.
import { Link } from "wouter";
import { useTitle } from "@/core/title";
import type { Game } from "@/games/game";
import { Lost } from "@/pages/lost";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";
import type { Refusal } from "./held";

interface ByCodeProps {
  game: Game;
  code: string;
  refused: Refusal | null;
}

export function ByCode({ game, code, refused }: ByCodeProps) {
  useTitle("Sitting down");
  if (refused?.ref !== "join") {
    return (
      <main className="flex flex-1 flex-col justify-center">
        <h1 className="sr-only">{game.title}</h1>
        <Spinner label="Sitting down" />
      </main>
    );
  }
  const full = refused.code === "GAME_ALREADY_STARTED";
  return (
    <Lost
      title={full ? "Both seats are taken" : "Nobody waits here"}
      actions={
        <Button asChild color="green" className="flex-1">
          <Link href="/">Play {game.title}</Link>
        </Button>
      }
    >
      {full
        ? `Somebody sat down with the code ${code} before you. Open a table of your own.`
        : `There is no table with the code ${code}. Tables that nobody comes to are put away after a while: ask your friend for a new code.`}
    </Lost>
  );
}
