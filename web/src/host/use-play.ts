// The host's socket for a page: it sits down where the address says, and again after every cut.
import { useCallback, useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { noteServerTime } from "@/core/clock";
import type { LiveStatus } from "@/core/live";
import { useSession } from "@/core/session";
import { useLive } from "@/core/use-live";
import type { PlayHeard, PlaySaid } from "@/core/wire";
import { answered, type Chosen, chose, type Held, heard, NOTHING } from "./held";
import { nameOf, type Place, tableAt } from "./place";

export interface Play {
  held: Held;
  status: LiveStatus;
  /** Says something; its type is the `ref` by which the answer is known. False: there is no line. */
  say: (message: PlaySaid) => boolean;
  /** Do something in the game. It is said again until it is answered. */
  choose: (action: unknown) => void;
  /** Look for an opponent until one is found or `stop` is called. */
  seek: () => void;
  stop: () => void;
  /** Answer an invitation by staying away. */
  decline: (match: string) => void;
  /** Take one's seat back from another window. */
  sitAgain: () => void;
}

type Send = (message: unknown) => boolean;

export function usePlay(game: string, place: Place): Play {
  const [held, setHeld] = useState(NOTHING);
  const [, go] = useLocation();
  const signedIn = useSession() !== null;
  const wanted = place.kind === "table" || (place.kind !== "nowhere" && signedIn);
  // What a message is answered by is what is known when it comes, not when the page was last drawn.
  const now = useRef(held);
  const update = useCallback((next: Held) => {
    now.current = next;
    setHeld(next);
  }, []);
  const here = nameOf(place);
  const arrived = useRef<string | null>(null);

  const arrive = (send: Send) => {
    arrived.current = here;
    if (now.current.left === "taken_over") return;
    if (now.current.seeking) send({ type: "seek", game, ref: "seek" });
    if (place.kind === "code") send({ type: "join", game, code: place.code, ref: "join" });
    if (place.kind !== "table") return;
    const kind = signedIn ? "join" : "watch";
    send({ type: kind, match: place.match, ref: kind });
    sayChosen(send, now.current.chosen, place.match);
  };

  const hear = (message: PlayHeard) => {
    if ("now" in message) noteServerTime(new Date(message.now).toISOString(), true);
    const before = now.current;
    const after = heard(before, message);
    update(after);
    if (message.type === "table" && nameOf(tableAt(message.match)) !== here) {
      // One sits there already: going there must not mean to sit down once more.
      arrived.current = nameOf(tableAt(message.match));
      go(`/game/${message.match}`, { replace: place.kind !== "start" });
    }
    if (message.type !== "error") return;
    if (message.ref === "join" && message.code === "NOT_SEATED" && place.kind === "table") {
      live.send({ type: "watch", match: place.match, ref: "watch" });
    }
    if (message.ref === "act" && after.chosen) {
      sayChosen(live.send, after.chosen, after.table?.match);
    }
  };

  const live = useLive({
    path: wanted ? "/ws/play" : null,
    hear: (message) => hear(message as PlayHeard),
    opened: (send) => arrive(send as Send),
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: only another address means going elsewhere
  useEffect(() => {
    if (arrived.current === null || arrived.current === here) return;
    const before = now.current.table?.match;
    if (before !== undefined) live.send({ type: "unwatch", match: before, ref: "unwatch" });
    update({ ...NOTHING, invitations: now.current.invitations });
    arrive(live.send);
  }, [here]);

  const say = (message: PlaySaid) => live.send({ ...message, ref: message.type });
  return {
    held,
    status: live.status,
    say,
    choose: (action) => {
      const after = chose(now.current, action);
      if (after === now.current) return;
      update(after);
      sayChosen(live.send, after.chosen, after.table?.match);
    },
    seek: () => say({ type: "seek", game }),
    stop: () => {
      say({ type: "withdraw", game });
      update({ ...now.current, seeking: null });
    },
    decline: (match) => {
      say({ type: "withdraw", match });
      update(answered(now.current, match));
    },
    sitAgain: () => {
      update({ ...now.current, left: null });
      arrive(live.send);
    },
  };
}

/** Without a line it is said as soon as there is one again. */
function sayChosen(send: Send, chosen: Chosen | null, match: string | undefined): void {
  if (chosen === null || match === undefined) return;
  const { action, version } = chosen;
  send({ type: "act", match, version, action, ref: "act" });
}
