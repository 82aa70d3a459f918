// The question mark: opens the rules of a game.
import { CircleHelp } from "lucide-react";
import { useState } from "react";
import type { Game } from "@/games/game";
import { Button } from "@/ui/button";
import { Tooltip } from "@/ui/tooltip";
import { RulesSheet } from "./rules-sheet";

export function RulesButton({ game, className }: { game: Game; className?: string }) {
  const [open, setOpen] = useState(false);
  if (game.rules === undefined) return null;
  const label = `Rules of ${game.title}`;
  return (
    <>
      <Tooltip text={label}>
        <Button size="icon" aria-label={label} className={className} onClick={() => setOpen(true)}>
          <CircleHelp aria-hidden="true" />
        </Button>
      </Tooltip>
      <RulesSheet game={game} open={open} close={() => setOpen(false)} />
    </>
  );
}
