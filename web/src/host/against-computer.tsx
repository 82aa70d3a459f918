// The computer on the page of a game that has a line of its own: opens the host's for it, and goes to the table.
import { usePlayedHere } from "@/core/played-here";
import { Opponents } from "@/table/opponents";
import { Tray } from "@/ui/tray";
import type { Place } from "./place";
import { useHosted } from "./use-hosted";

interface AgainstComputerProps {
  /** The server's key of the game; its table stands at `/game/…` below the page. */
  game: string;
  /** Small print. */
  note?: string;
}

/** Nothing, and no line, where the computer does not play. */
export function AgainstComputer({ game, note }: AgainstComputerProps) {
  const opponents = usePlayedHere(game)?.opponents ?? [];
  return opponents.length === 0 ? null : <Waiting game={game} note={note} />;
}

const START: Place = { kind: "start" };

function Waiting({ game, note }: { game: string; note: string | undefined }) {
  const play = useHosted(game, START);
  return (
    <Tray className="flex flex-col gap-2 p-4! sm:p-6!">
      <Opponents
        game={game}
        begin={(bot) => play.say({ type: "play_bot", game, bot })}
        disabled={play.status !== "open"}
      />
      {note !== undefined && <p className="text-base text-soft">{note}</p>}
    </Tray>
  );
}
