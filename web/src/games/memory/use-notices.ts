// What happens beside the turns: cards heard turning, pairs found, refusals, time that is up, an
// opponent who comes and goes, and the power-ups that move the whole table.
import { useEffect, useRef, useState } from "react";
import { announce } from "@/core/announce";
import { useCalm } from "@/core/preferences";
import { play } from "@/core/sound";
import { toast } from "@/ui/toast";
import type { Memory, Spectacle, TimeOut, Turned } from "./memory";
import { powerUps } from "./power-ups";

const SPECTACLE_MS = 1300;

interface Noticed {
  /** What the last step brought. */
  told: Pick<Turned, "turned" | "paired"> | null;
  refusal: Memory["refusal"];
  timeout: TimeOut | null;
  /** The opponent lost the connection. */
  away: boolean;
  opponent: string;
}

export function useNotices(noticed: Noticed): void {
  const { told, refusal, timeout, away } = noticed;
  useEffect(() => {
    if (told?.turned) play("flip");
    if (told?.paired) play("chime", { delayMs: 250, loudness: 0.7 });
  }, [told]);
  useEffect(() => {
    if (refusal) toast(refusal.message, "bad");
  }, [refusal]);
  const opponent = useRef("");
  opponent.current = noticed.opponent;
  useEffect(() => {
    if (timeout === null) return;
    const { mine } = timeout;
    toast(
      mine
        ? "Your time is up. You lost the turn."
        : `${opponent.current} took too long. Your turn.`,
    );
  }, [timeout]);
  const wasAway = useRef(away);
  useEffect(() => {
    if (away !== wasAway.current) {
      announce(away ? "Your opponent lost the connection." : "Your opponent is back.");
    }
    wasAway.current = away;
  }, [away]);
}

/** A power-up that moves the whole table does so for a moment; `name` is one's own. */
export function useSpectacle(spectacle: Spectacle | null, name: string): string | null {
  const calm = useCalm();
  const [shown, setShown] = useState<string | null>(null);
  const own = useRef(name);
  own.current = name;
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
