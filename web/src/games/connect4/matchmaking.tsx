// Looking for an opponent: enters the queue, asks every two seconds, and leaves it when cancelled.
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { announce } from "@/core/announce";
import { ApiError } from "@/core/api";
import { serverNow, useServerNow } from "@/core/clock";
import { play } from "@/core/sound";
import type { Queue } from "@/core/wire";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { calls } from "./calls";
import { Chip } from "./chip";

const POLL_MS = 2000;

/** Enters, or stays in, the queue. An entry that went stale meanwhile is renewed. */
async function seek(signal: AbortSignal): Promise<Queue> {
  const now = await calls.queue(signal);
  if (now.status !== "not_queued") return now;
  try {
    return await calls.enterQueue();
  } catch (error) {
    if (error instanceof ApiError && error.code === "ALREADY_QUEUED") return calls.queue(signal);
    throw error;
  }
}

export function Matchmaking({ close }: { close: () => void }) {
  const [, go] = useLocation();
  const [since] = useState(serverNow);
  const { data, error } = useQuery({
    queryKey: ["connect4", "queue"],
    queryFn: ({ signal }) => seek(signal),
    refetchInterval: ({ state }) => (state.data?.status === "matched" ? false : POLL_MS),
    refetchIntervalInBackground: true,
    gcTime: 0,
  });

  const matched = data?.status === "matched" ? data.publicId : null;
  const queued = useRef(true);
  useEffect(() => {
    if (matched === null) return;
    queued.current = false;
    play("chime");
    announce("Opponent found.");
    go(`/game/${matched}`);
  }, [matched, go]);

  // Whoever goes elsewhere is no longer looking.
  useEffect(() => {
    const leave = () => {
      if (queued.current) void calls.leaveQueue().catch(() => undefined);
    };
    window.addEventListener("pagehide", leave);
    return () => {
      window.removeEventListener("pagehide", leave);
      leave();
    };
  }, []);

  const start = data?.status === "queued" ? Date.parse(data.queuedAt) : since;
  const elapsed = Math.max(0, useServerNow(1000, true) - start);
  const problem = error ? sayError(error) : null;
  return (
    <Dialog
      open
      onClose={close}
      title="Looking for an opponent"
      description={problem ?? "Someone will sit down soon. Keep this page open."}
      picture={<Juggling />}
    >
      <p className="flex items-baseline justify-center gap-2">
        <span className="text-display text-5xl tabular" role="timer" aria-label="Waiting for">
          {clockFace(elapsed)}
        </span>
      </p>
      <Button onClick={close}>Cancel</Button>
    </Dialog>
  );
}

export function clockFace(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function Juggling() {
  return (
    <div
      aria-hidden="true"
      className="c4-juggle well relative mr-15 flex h-28 items-end justify-center gap-5 overflow-hidden px-6 pb-4"
    >
      <Chip side="red" className="size-14" />
      <Chip side="yellow" className="size-14" />
      <Chip side="red" className="size-14" />
    </div>
  );
}
