// Looking for an opponent: how long already, and the way out.
import { useEffect } from "react";
import { announce } from "@/core/announce";
import { clockFace, useServerNow } from "@/core/clock";
import { useTitle } from "@/core/title";
import type { Hosted } from "@/games/game";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import type { Held } from "./held";

interface SearchingProps {
  hosted: Hosted;
  seeking: NonNullable<Held["seeking"]>;
  close: () => void;
}

export function Searching({ hosted, seeking, close }: SearchingProps) {
  useTitle("Looking for an opponent");
  const now = useServerNow(1000, true);
  useEffect(() => announce("Looking for an opponent."), []);
  const computer =
    seeking.botAt === null
      ? "Someone will sit down soon. Keep this page open."
      : "If nobody comes, the computer sits down.";
  return (
    <Dialog
      open
      onClose={close}
      title="Looking for an opponent"
      description={computer}
      picture={<Juggling hosted={hosted} />}
    >
      <p className="text-center">
        <span className="text-display text-5xl tabular" role="timer" aria-label="Waiting for">
          {clockFace(Math.max(0, now - seeking.since))}
        </span>
      </p>
      <Button onClick={close}>Cancel</Button>
    </Dialog>
  );
}

function Juggling({ hosted }: { hosted: Hosted }) {
  const [{ Token: One }, { Token: Other }] = hosted.sides;
  return (
    <div
      aria-hidden="true"
      className="table-juggle well relative mr-15 flex h-28 items-end justify-center gap-5 overflow-hidden px-6 pb-4"
    >
      <One className="size-14" />
      <Other className="size-14" />
      <One className="size-14" />
    </div>
  );
}
