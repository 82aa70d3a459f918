// What is to be done now, and whether the line is up.
import { clsx } from "clsx";
import type { LiveStatus } from "@/core/live";
import { Tooltip } from "@/ui/tooltip";
import { pieceName } from "./traits";
import type { Game } from "./wire";

interface HintProps {
  game: Game;
  task: string | null;
  /** Under a finger. */
  lifted: number | null;
  status: LiveStatus;
}

export function Hint({ game, task, lifted, status }: HintProps) {
  const full = game.availablePieces.length === 0;
  return (
    <p className="flex items-center justify-center gap-2.5 leading-tight">
      <ConnectionLight status={status} />
      <span>
        {lifted !== null
          ? `${pieceName(lifted)}: lift your finger to give it.`
          : full
            ? "The board is full. Is there a line of four?"
            : task}
      </span>
    </p>
  );
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
