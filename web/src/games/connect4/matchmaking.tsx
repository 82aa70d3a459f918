// Looking for an opponent: enters the queue, asks every two seconds, and leaves it when cancelled.
// A search of the same person in another tab is the same search.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { announce } from "@/core/announce";
import { ApiError } from "@/core/api";
import { serverNow } from "@/core/clock";
import { play } from "@/core/sound";
import type { Queue } from "@/core/wire";
import { sayError } from "@/core/words";
import { Searching } from "@/table/searching";
import { Juggling } from "@/table/tokens";
import { toast } from "@/ui/toast";
import { calls, gameToFinish } from "./calls";
import { kit } from "./kit";
import { ACTIVE_GAME } from "./open-game";

export const POLL_MS = 2000;
/** An entry that stood so lately has not gone stale: somebody left the queue elsewhere. */
const LATELY_MS = 3 * POLL_MS;

/** Enters, or stays in, the queue. An entry that went stale meanwhile is renewed. */
async function seek(signal: AbortSignal, waitedLately: boolean): Promise<Queue> {
  const now = await calls.queue(signal);
  if (now.status !== "not_queued" || signal.aborted || waitedLately) return now;
  try {
    return await calls.enterQueue();
  } catch (error) {
    const publicId = gameToFinish(error);
    if (publicId !== null) return { status: "matched", gameId: "", publicId };
    if (error instanceof ApiError && error.code === "ALREADY_QUEUED") return calls.queue(signal);
    throw error;
  }
}

/** The search before, until it has left the queue: a new one must not meet its entry. */
let left: Promise<unknown> = Promise.resolve();

/** Settles once no search of this page stands in the queue any more, unless one is going on. */
export const searchEnded = (): Promise<unknown> => left;

/** Looks for an opponent while the component is there, and stops looking with it. */
function useSearch() {
  const queries = useQueryClient();
  // An entry under way cannot be called back, only left once it has been made.
  const asking = useRef<Promise<unknown>>(Promise.resolve());
  const status = useRef<Queue["status"]>("not_queued");
  const waitedAt = useRef(Number.NEGATIVE_INFINITY);
  const { data, error } = useQuery({
    queryKey: ["connect4", "queue"],
    queryFn: ({ signal }) => {
      const answer = left.then(() => seek(signal, Date.now() - waitedAt.current < LATELY_MS));
      asking.current = answer.then(
        (place) => {
          status.current = place.status;
          if (place.status === "queued") waitedAt.current = Date.now();
        },
        () => undefined,
      );
      return answer;
    },
    refetchInterval: ({ state }) => (state.data?.status === "matched" ? false : POLL_MS),
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
  useEffect(() => {
    const leave = async () => {
      if (status.current === "queued") await calls.leaveQueue();
    };
    // Whoever does not hear it is gone anyway: an entry nobody asks for is dropped.
    const leaveQuietly = () => leave().catch(() => undefined);
    window.addEventListener("pagehide", leaveQuietly);
    return () => {
      window.removeEventListener("pagehide", leaveQuietly);
      left = asking.current.then(leaveQuietly);
      // Too late to leave: the game that was found waits to be resumed.
      void left.then(() => queries.invalidateQueries({ queryKey: ACTIVE_GAME }));
    };
  }, [queries]);
  return { place: data, error };
}

export function Matchmaking({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [since] = useState(serverNow);
  const { place, error } = useSearch();

  const matched = place?.status === "matched" ? place.publicId : null;
  useEffect(() => {
    if (matched === null) return;
    play("chime");
    announce("Opponent found.");
    go(`/game/${matched}`);
  }, [matched, go]);

  const cancelled = place?.status === "not_queued";
  useEffect(() => {
    if (!cancelled) return;
    toast("The search was cancelled in another tab.");
    close();
  }, [cancelled, close]);

  return (
    <Searching
      picture={<Juggling sides={kit.sides} />}
      since={place?.status === "queued" ? Date.parse(place.queuedAt) : since}
      problem={error ? sayError(error) : null}
      close={close}
    />
  );
}
