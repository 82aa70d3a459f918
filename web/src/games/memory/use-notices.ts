// What happens beside the turns: cards heard turning, pairs found, refusals, time that is up, an
// opponent who comes and goes, and the power-ups that move the whole table.
import { useEffect, useRef, useState } from "react";
import { announce } from "@/core/announce";
import { useCalm } from "@/core/preferences";
import { play } from "@/core/sound";
import { toast } from "@/ui/toast";
import type { Memory } from "./memory";
import { powerUps } from "./power-ups";

const SPECTACLE_MS = 1300;

export function useNotices({ told, refusal, timeout, awayUntil, found }: Memory): void {
  useEffect(() => {
    if (told?.turned) play("flip");
    if (told?.paired) play("chime", { delayMs: 250, loudness: 0.7 });
  }, [told]);
  useEffect(() => {
    if (refusal) toast(refusal.message, "bad");
  }, [refusal]);
  const opponent = useRef("");
  opponent.current = found?.opponentName ?? "";
  useEffect(() => {
    if (timeout === null) return;
    const { mine } = timeout;
    toast(
      mine
        ? "Your time is up. You lost the turn."
        : `${opponent.current} took too long. Your turn.`,
    );
  }, [timeout]);
  const away = awayUntil !== null;
  const wasAway = useRef(away);
  useEffect(() => {
    if (away !== wasAway.current) {
      announce(away ? "Your opponent lost the connection." : "Your opponent is back.");
    }
    wasAway.current = away;
  }, [away]);
}

/** A power-up that moves the whole table does so for a moment. */
export function useSpectacle({ spectacle, state }: Memory): string | null {
  const calm = useCalm();
  const [shown, setShown] = useState<string | null>(null);
  const own = useRef(state?.you.name);
  own.current = state?.you.name;
  useEffect(() => {
    if (spectacle === null) return;
    toast(
      `${own.current === spectacle.player ? "You" : spectacle.player} used ${spectacle.label}.`,
    );
    if (calm) return;
    const known = powerUps.find((each) => each.label === spectacle.label);
    setShown(known?.id ?? null);
    play("flip", { loudness: 1.2 });
    const timer = setTimeout(() => setShown(null), SPECTACLE_MS);
    return () => clearTimeout(timer);
  }, [spectacle, calm]);
  return shown;
}
