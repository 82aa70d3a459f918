// While a game goes on: what happened last, whose turn it is, and the way to give up.
import { Flag } from "lucide-react";
import { useState } from "react";
import type { PlayStep, PlayTable } from "@/core/wire";
import type { Hosted } from "@/games/game";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { isLocal, ownSeat, whoAt } from "./names";
import { turnInWords } from "./use-telling";

interface PlayingProps {
  table: PlayTable;
  last: PlayStep | null;
  hosted: Hosted;
  resign: () => void;
}

export function Playing({ table, last, hosted, resign }: PlayingProps) {
  const happened = last === null ? "" : hosted.told(last, whoAt(table));
  return (
    <div className="flex flex-col items-center gap-3">
      <p className="grid min-h-14 place-content-center text-center text-lg leading-snug text-balance text-soft">
        <span>{happened}</span> <span className="font-bold text-text">{turnInWords(table)}</span>
      </p>
      {table.seat === null ? (
        <p className="grid min-h-13 place-items-center text-lg font-bold">
          You are watching this game.
        </p>
      ) : (
        <GiveUp table={table} resign={resign} />
      )}
    </div>
  );
}

function GiveUp({ table, resign }: { table: PlayTable; resign: () => void }) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const rated = ownSeat(table) !== null && table.players.every(({ bot }) => bot === null);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Flag aria-hidden="true" /> Give up
      </Button>
      <Dialog
        open={asking}
        onClose={close}
        title="Give this game up?"
        description={
          rated
            ? "The game ends and counts as lost."
            : "The game ends here. You can start another one at any time."
        }
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Button
            color="red"
            onClick={() => {
              close();
              resign();
            }}
          >
            {isLocal(table) ? "End this game" : "Give up"}
          </Button>
          <Button onClick={close}>Play on</Button>
        </div>
      </Dialog>
    </>
  );
}
