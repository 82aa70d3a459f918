// The dialog that comes with the end of a game.
import { useEffect, useState } from "react";
import { ratingMove, useRecord } from "@/core/played";
import { play } from "@/core/sound";
import { Dialog } from "@/ui/dialog";
import { RatingLine } from "@/ui/rating-line";
import { resultReason, resultTitle } from "./ending";
import type { Ending } from "./memory";
import { Ways } from "./ways";

/** First the last pair is seen; then the dialog comes. */
const DIALOG_AFTER_MS = 1400;

interface ResultProps {
  ending: Ending | null;
  gameId: string;
  opponent: string;
  again: () => void;
}

export function Result({ ending, gameId, opponent, again }: ResultProps) {
  const [open, setOpen] = useState(false);
  const record = useRecord("memory", ending === null ? null : gameId);
  const rating = record && ratingMove(record);
  useEffect(() => {
    if (ending === null) return setOpen(false);
    const timer = setTimeout(
      () => {
        setOpen(true);
        if (ending.result === "win") play("win");
      },
      ending.by === "pairs" ? DIALOG_AFTER_MS : 0,
    );
    return () => clearTimeout(timer);
  }, [ending]);
  if (ending === null) return null;
  return (
    <Dialog
      open={open}
      onClose={() => setOpen(false)}
      title={resultTitle(ending)}
      description={resultReason(ending, opponent)}
    >
      {rating && <RatingLine {...rating} />}
      <Ways again={again} />
    </Dialog>
  );
}
