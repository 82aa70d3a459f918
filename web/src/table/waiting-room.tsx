// Waiting for a friend, and how they find the way.
import { useTitle } from "@/core/title";
import type { Game, Hosted } from "@/games/game";
import { Button } from "@/ui/button";
import { Invite } from "@/ui/invite";
import { Tray } from "@/ui/tray";

interface WaitingRoomProps {
  game: Game;
  hosted: Hosted;
  code: string;
  cancel: () => void;
}

export function WaitingRoom({ game, hosted, code, cancel }: WaitingRoomProps) {
  useTitle("Waiting for your friend");
  const [{ Token: Mine }, { Token: Theirs }] = hosted.sides;
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col justify-center px-4 pt-2 pb-12">
      <Tray className="flex flex-col gap-6">
        <div className="flex items-center gap-4">
          <span aria-hidden="true" className="flex shrink-0">
            <Mine className="size-14" />
            <Theirs className="-ml-3 size-14 opacity-35 grayscale" />
          </span>
          <div>
            <h1 className="text-3xl leading-tight sm:text-4xl">Waiting for your friend</h1>
            <p className="text-lg text-soft">The game begins as soon as they sit down.</p>
          </div>
        </div>
        <Invite
          code={code}
          link={`${window.location.origin}${game.route}/${code}`}
          game={game.title}
        />
        <Button onClick={cancel}>Close this table</Button>
      </Tray>
    </main>
  );
}
