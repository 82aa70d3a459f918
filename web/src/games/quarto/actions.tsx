// What one can do at the table: give a piece, call Quarto, give up; after the end, play again.
import { clsx } from "clsx";
import { Flag, Megaphone } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { LiveStatus } from "@/core/live";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Tooltip } from "@/ui/tooltip";
import { BackButton, RematchButton, resultReason, resultTitle } from "./result";
import type { Choices, Room } from "./room";
import { pieceName } from "./traits";
import { useCountdown } from "./use-countdown";
import type { HeldRoom } from "./use-room";
import { turnInWords } from "./use-telling";
import type { Game, Seat } from "./wire";

interface PlayingProps {
  held: HeldRoom;
  game: Game;
  choices: Choices;
  lifted: number | null;
  call: () => void;
  /** The tray. */
  children: ReactNode;
}

export function Playing({ held, game, choices, lifted, call, children }: PlayingProps) {
  const { seat, room, status } = held;
  return (
    <div className="flex flex-col gap-2.5 wide:gap-3.5">
      <p className="flex min-h-7 items-center justify-center gap-2.5 text-center text-base leading-tight text-balance text-soft wide:min-h-10 wide:text-lg">
        <ConnectionLight status={status} />
        <span>{hint(game, seat, lifted)}</span>
      </p>
      {children}
      {seat === null ? (
        <p className="grid min-h-13 place-items-center text-lg font-bold">
          You are watching this game.
        </p>
      ) : (
        <div className="flex items-stretch gap-2.5">
          <GiveUp game={game} leave={() => held.say({ type: "LEAVE_ROOM" })} />
          <CallButton enabled={choices.call} call={call} until={room.finalCall} />
        </div>
      )}
    </div>
  );
}

function hint(game: Game, seat: Seat | null, lifted: number | null): string {
  if (lifted !== null) {
    return `${pieceName(lifted)}: tap again to give it.`;
  }
  if (game.availablePieces.length === 0) return "The board is full. Is there a line of four?";
  return turnInWords(game, seat);
}

const LIGHTS: Record<LiveStatus, string> = {
  open: "Connected",
  connecting: "Reconnecting",
  closed: "Not connected",
};

function ConnectionLight({ status }: { status: LiveStatus }) {
  return (
    <Tooltip text={LIGHTS[status]}>
      <span
        role="img"
        aria-label={LIGHTS[status]}
        data-testid="connection"
        className={clsx(
          "size-3.5 shrink-0 rounded-full border-2 shadow-[inset_1px_1px_1px_rgb(255_255_255/0.7)]",
          status === "open"
            ? "border-green-dark bg-green-light"
            : "animate-pulse border-yellow-dark bg-yellow-light",
        )}
      />
    </Tooltip>
  );
}

interface CallProps {
  enabled: boolean;
  call: () => void;
  /** The moment after which a last line can no longer be called. */
  until: number | null;
}

function CallButton({ enabled, call, until }: CallProps) {
  const seconds = useCountdown(until);
  return (
    <Button
      color="yellow"
      size="large"
      aria-disabled={!enabled}
      aria-keyshortcuts="q"
      className={clsx(
        "min-w-0 flex-1 px-3! max-wide:min-h-14",
        seconds !== null && enabled && "animate-pulse-glow",
      )}
      onClick={() => enabled && call()}
    >
      <Megaphone aria-hidden="true" />
      Call Quarto!
      {seconds !== null && (
        <span role="timer" aria-label="Seconds left" className="tabular" data-testid="final-call">
          {seconds}
        </span>
      )}
    </Button>
  );
}

function GiveUp({ game, leave }: { game: Game; leave: () => void }) {
  const [asking, setAsking] = useState(false);
  const close = () => setAsking(false);
  return (
    <>
      <Tooltip text="Give up">
        <Button
          size="large"
          aria-label="Give up"
          className="w-16 px-0! max-wide:min-h-14"
          onClick={() => setAsking(true)}
        >
          <Flag aria-hidden="true" />
        </Button>
      </Tooltip>
      <Dialog
        open={asking}
        onClose={close}
        title="Leave the table?"
        description={
          game.mode === "online"
            ? "The game ends and counts as lost."
            : "The game ends here. You can start another one at any time."
        }
      >
        <div className="grid gap-3 sm:grid-cols-2">
          <Button
            color="red"
            onClick={() => {
              close();
              leave();
            }}
          >
            Give up
          </Button>
          <Button onClick={close}>Play on</Button>
        </div>
      </Dialog>
    </>
  );
}

interface EndedProps {
  game: Game;
  room: Room;
  seat: Seat | null;
  rematch: () => void;
}

export function Ended({ game, room, seat, rematch }: EndedProps) {
  return (
    <div className="flex flex-col gap-3">
      <div className="text-center">
        <h2 className="text-3xl leading-tight wide:text-4xl">{resultTitle(game, seat)}</h2>
        <p className="text-lg text-soft">{resultReason(game, seat, room.left)}</p>
      </div>
      {seat !== null && <RematchButton game={game} room={room} seat={seat} rematch={rematch} />}
      <BackButton />
    </div>
  );
}
