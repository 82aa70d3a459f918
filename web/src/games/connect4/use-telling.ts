// Says what happens at the table: to screen readers in words, to everyone else with a chime.
import { useEffect, useRef } from "react";
import { announce } from "@/core/announce";
import { play } from "@/core/sound";
import type { Game, PlayerNumber } from "@/core/wire";
import { resultReason, resultTitle } from "./game-over";
import { isOver, playerAt, sideOf, winnerOf } from "./sides";

/** After the chip has landed. */
const LANDED_MS = 480;

export function useTelling(game: Game, seat: PlayerNumber | null): void {
  const told = useRef({ yet: false, moves: game.moves.length, over: isOver(game) });
  useEffect(() => {
    const before = told.current;
    const over = isOver(game);
    told.current = { yet: true, moves: game.moves.length, over };
    const opening = !before.yet && game.moves.length === 0;
    const words: string[] = [];
    const last = game.moves.at(-1);
    if (last && game.moves.length > before.moves) {
      const who = last.player === seat ? "You" : playerAt(game, last.player)?.username;
      words.push(`${who}, ${sideOf(last.player)}, column ${last.column + 1}.`);
    }
    if (over && !before.over) {
      words.push(`${resultTitle(game, seat)}. ${resultReason(game, seat)}`);
      if (winnerOf(game) === seat && seat !== null) play("win", { delayMs: LANDED_MS });
    } else if (!over && game.currentTurn === seat && (words.length > 0 || opening)) {
      words.push("Your turn.");
      if (words.length > 1) play("chime", { delayMs: LANDED_MS });
    }
    if (words.length > 0) announce(words.join(" "));
  }, [game, seat]);
}
