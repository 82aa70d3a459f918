// What follows a game that was played over a document's own line: the host knows who is still at its table, who
// wants another game there, and when that begins.
import { useEffect, useRef, useState } from "react";
import { useLive } from "@/core/use-live";
import type { PlayHeard, PlaySaid, PlayTable } from "@/core/wire";
import { toast } from "@/ui/toast";
import { heard, NOTHING } from "./held";

export interface Afterwards {
  /** Null until the host has told of it. */
  table: PlayTable | null;
  /** The other one was here and has gone, or did not come in all this time. */
  gone: boolean;
  say: (message: PlaySaid) => boolean;
}

/** Both come here by themselves: who is a little slower has not left. */
const COMING_MS = 4000;

/**
 * `match` is the game that is over, null while none is; `begun` hears which one is played next, and whether that is
 * another table than the one it was played at.
 */
export function useAfterwards(
  match: string | null,
  begun: (match: string, anew: boolean) => void,
): Afterwards {
  const [held, setHeld] = useState(NOTHING);
  const now = useRef(held);
  // The game at which it is known whether the other one is there.
  const [known, setKnown] = useState<string | null>(null);

  const hear = (message: PlayHeard) => {
    now.current = heard(now.current, message);
    setHeld(now.current);
    if (message.type === "error") toast(message.message, "bad");
    const { table } = now.current;
    const next = table?.match === match ? table?.next_match : table?.match;
    if (next && (message.type === "table" || message.type === "rematch")) {
      begun(next, message.type === "table" && message.ref === "play_bot");
    }
  };
  const { send } = useLive({
    path: match === null ? null : "/ws/play",
    opened: (say) => say({ type: "join", match, ref: "join" } satisfies PlaySaid),
    hear: (message) => hear(message as PlayHeard),
  });

  const table = held.table?.match === match ? held.table : null;
  const other = table?.players.find((_, seat) => seat !== table.seat);
  const here = other?.here === true;
  const told = table !== null;
  useEffect(() => {
    if (!told) return;
    if (here) return setKnown(match);
    const timer = setTimeout(() => setKnown(match), COMING_MS);
    return () => clearTimeout(timer);
  }, [match, told, here]);

  return {
    table,
    gone: told && !here && known === match,
    say: (message) => send({ ...message, ref: message.type }),
  };
}
