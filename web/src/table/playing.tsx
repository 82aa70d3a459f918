// While a game goes on: what happened last, whose turn it is, what can be claimed, and the way to give up.
import { clsx } from "clsx";
import { Flag, Lightbulb, Undo2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Tooltip } from "@/ui/tooltip";
import type { Help, TableModel } from "./model";
import { isLocal, ownSeat, turnInWords } from "./names";

interface PlayingProps {
  table: TableModel;
  /** Instead of what happened and whose turn it is; false: the tray needs its room. */
  hint?: ReactNode;
  /** What lies beside the board for both: pieces, cards, tools. */
  tray?: ReactNode;
  /** What else can be done; giving up then makes room for it. */
  extra?: ReactNode;
}

export function Playing({ table, hint, tray, extra }: PlayingProps) {
  const { claim, resign } = table;
  const ways = (
    <div className="flex flex-col gap-2.5 wide:gap-3.5 short:gap-1.5">
      {(hint !== false || table.help?.advice) && (
        <div
          className={clsx(
            "grid place-content-center text-center text-base leading-snug text-balance text-soft wide:text-lg",
            tray === undefined ? "min-h-14 short:min-h-11" : "min-h-7 wide:min-h-10 short:min-h-6",
          )}
        >
          {table.help?.advice ? (
            <Advice {...table.help.advice} />
          ) : (
            (hint ?? <Happened table={table} />)
          )}
        </div>
      )}
      {tray}
      {table.seats.length === 0 ? (
        <p className="grid min-h-13 place-items-center text-lg font-bold">
          You are watching this game.
        </p>
      ) : (
        <div className="flex flex-wrap items-stretch empty:hidden justify-center gap-2.5">
          {resign && (
            <GiveUp
              table={table}
              resign={resign}
              small={extra !== undefined || Boolean(table.help)}
            />
          )}
          {table.help && <Helping {...table.help} crowded={extra !== undefined} />}
          {extra}
        </div>
      )}
    </div>
  );
  if (claim === null) return ways;
  // Instead of the rest, in the room of the rest: the board stays where it is.
  return (
    <div className="grid items-center *:[grid-area:1/1]">
      <div inert className="invisible">
        {ways}
      </div>
      <Button color="yellow" size="large" className="glowing px-4!" onClick={claim.take}>
        {claim.label}
      </Button>
    </div>
  );
}

function Happened({ table }: { table: TableModel }) {
  return (
    <p>
      <span>{table.told?.words}</span>{" "}
      <span className="font-bold text-text">{turnInWords(table)}</span>
    </p>
  );
}

function Advice({ words }: { words: string }) {
  return (
    <p role="status" className="font-bold text-text-gold">
      <Lightbulb aria-hidden="true" className="mr-1.5 inline size-5 align-text-bottom" />
      {words}
    </p>
  );
}

interface HelpingProps extends Pick<Help, "hint" | "takeBack"> {
  /** On narrow screens there is room for pictures only. */
  crowded?: boolean;
}

export function Helping({ hint, takeBack, crowded = false }: HelpingProps) {
  const words = clsx("help-words", crowded && "max-wide:sr-only");
  return (
    <>
      {hint && (
        <Tooltip text="Hint">
          <Button size="small" onClick={hint}>
            <Lightbulb aria-hidden="true" /> <span className={words}>Hint</span>
          </Button>
        </Tooltip>
      )}
      {takeBack && (
        <Tooltip text="Take back">
          <Button size="small" onClick={takeBack}>
            <Undo2 aria-hidden="true" /> <span className={words}>Take back</span>
          </Button>
        </Tooltip>
      )}
    </>
  );
}

interface GiveUpProps {
  table: TableModel;
  resign: () => void;
  small: boolean;
}

function GiveUp({ table, resign, small }: GiveUpProps) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  const counts = ownSeat(table) !== null && table.players.every(({ bot }) => !bot);
  return (
    <>
      {small ? (
        <Tooltip text="Give up">
          <Button
            size="large"
            aria-label="Give up"
            className="w-16 px-0! max-wide:min-h-14 short:min-h-12 short:py-1"
            onClick={() => setAsking(true)}
          >
            <Flag aria-hidden="true" />
          </Button>
        </Tooltip>
      ) : (
        <Button onClick={() => setAsking(true)}>
          <Flag aria-hidden="true" /> Give up
        </Button>
      )}
      <Dialog
        open={asking}
        onClose={close}
        title="Give this game up?"
        description={
          table.resignNote ??
          (counts
            ? "The game ends and counts as lost."
            : "The game ends here. You can start another one at any time.")
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
