// A search for an opponent that goes on in another tab or on another device: seen here, and cancelled from here.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Swords, X } from "lucide-react";
import { useEffect } from "react";
import { clockFace, useServerNow } from "@/core/clock";
import { useSession } from "@/core/session";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toast";
import { calls } from "./calls";
import { POLL_MS, searchEnded } from "./matchmaking";
import { ACTIVE_GAME } from "./open-game";

const PLACE = ["connect4", "elsewhere"] as const;

export interface Search {
  since: number;
}

/** Null: none, or it is one's own. Who looks keeps it going, so only a page in sight does. */
export function useSearchElsewhere(looks: boolean): Search | null {
  const queries = useQueryClient();
  const signedIn = useSession() !== null;
  const place = useQuery({
    queryKey: PLACE,
    // One that was cancelled here a moment ago is none that goes on elsewhere.
    queryFn: ({ signal }) => searchEnded().then(() => calls.queue(signal)),
    enabled: looks && signedIn,
    refetchInterval: ({ state }) => (state.data?.status === "queued" ? POLL_MS : false),
    gcTime: 0,
  }).data;
  const matched = place?.status === "matched";
  useEffect(() => {
    if (matched) void queries.invalidateQueries({ queryKey: ACTIVE_GAME });
  }, [matched, queries]);
  return looks && place?.status === "queued" ? { since: Date.parse(place.queuedAt) } : null;
}

interface SearchElsewhereProps {
  search: Search;
  waitHere: () => void;
}

export function SearchElsewhere({ search, waitHere }: SearchElsewhereProps) {
  const queries = useQueryClient();
  const now = useServerNow(1000, true);
  const cancel = useMutation({
    mutationFn: calls.leaveQueue,
    onError: (error) => toast(sayError(error), "bad"),
    // Too late to leave: the game that was found waits to be resumed.
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: PLACE }),
        queries.invalidateQueries({ queryKey: ACTIVE_GAME }),
      ]),
  });
  return (
    <section aria-label="Your search" className="well flex flex-col gap-3 p-3.5">
      <p className="text-center text-lg text-balance">
        You are looking for an opponent in another tab or on another device.{" "}
        <span className="font-bold tabular" role="timer" aria-label="Waiting for">
          {clockFace(Math.max(0, now - search.since))}
        </span>
      </p>
      <div className="grid gap-2.5 sm:grid-cols-2">
        <Button color="green" className="px-2!" onClick={waitHere}>
          <Swords aria-hidden="true" /> Wait here
        </Button>
        <Button className="px-2!" disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          <X aria-hidden="true" /> Cancel the search
        </Button>
      </div>
    </section>
  );
}
