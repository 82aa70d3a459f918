// Looking for an opponent: how long already, and the way out.
import "./table.css";
import { type ReactNode, useEffect } from "react";
import { announce } from "@/core/announce";
import { clockFace, useServerNow } from "@/core/clock";
import { useTitle } from "@/core/title";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";

interface SearchingProps {
  picture: ReactNode;
  since: number;
  /** When the computer sits down if nobody comes; null: it does not. */
  botAt?: number | null;
  problem?: string | null;
  close: () => void;
}

export function Searching({ picture, since, botAt = null, problem, close }: SearchingProps) {
  useTitle("Looking for an opponent");
  const now = useServerNow(1000, true);
  useEffect(() => announce("Looking for an opponent."), []);
  return (
    <Dialog
      open
      onClose={close}
      title="Looking for an opponent"
      description={problem ?? expected(botAt, now)}
      picture={picture}
    >
      <p className="text-center">
        <span className="text-display text-5xl tabular" role="timer" aria-label="Waiting for">
          {clockFace(Math.max(0, now - since))}
        </span>
      </p>
      <Button onClick={close}>Cancel</Button>
    </Dialog>
  );
}

function expected(botAt: number | null, now: number): string {
  if (botAt === null) return "Someone will sit down soon. Keep this page open.";
  const seconds = Math.ceil((botAt - now) / 1000);
  return seconds > 0
    ? `If nobody comes, the computer sits down in ${seconds} s.`
    : "The computer is sitting down.";
}
