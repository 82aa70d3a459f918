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
  note?: string | undefined;
}

/** Nothing, and no line, where the computer does not play; until that is known, its room. */
export function AgainstComputer({ game, note }: AgainstComputerProps) {
  const opponents = usePlayedHere(game)?.opponents;
  if (opponents === undefined) return <Seats game={game} note={note} begin={null} />;
  return opponents.length === 0 ? null : <Waiting game={game} note={note} />;
}

const START: Place = { kind: "start" };

function Waiting({ game, note }: AgainstComputerProps) {
  const play = useHosted(game, START);
  const begin = (bot: string) => play.say({ type: "play_bot", game, bot });
  return <Seats game={game} note={note} begin={play.status === "open" ? begin : null} />;
}

interface SeatsProps extends AgainstComputerProps {
  /** Null: not yet. */
  begin: ((bot: string) => void) | null;
}

function Seats({ game, note, begin }: SeatsProps) {
  return (
    <Tray className="flex flex-col gap-2 p-4! sm:p-6!">
      <Opponents game={game} begin={(bot) => begin?.(bot)} disabled={begin === null} />
      {note !== undefined && <p className="text-base text-soft">{note}</p>}
    </Tray>
  );
}
