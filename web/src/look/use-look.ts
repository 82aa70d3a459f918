// A finished game, looked at: what was made of it, how far that is, and the way to play on from a position.
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { ApiError, api } from "@/core/api";
import { useLive } from "@/core/use-live";
import type { Analysis, PlayHeard, PositionSeen, Progress } from "@/core/wire";
import { sayError } from "@/core/words";
import { games } from "@/games/registry";
import { toast } from "@/ui/toast";

export type Look =
  | { kind: "making"; done: number; total: number }
  | { kind: "ready"; analysis: Analysis; positions: readonly PositionSeen[] }
  | { kind: "refused"; words: string };

type Answer = Analysis | Progress;
const isMade = (answer: Answer | undefined): answer is Analysis =>
  answer !== undefined && "moves" in answer;

interface UseLook {
  look: Look;
  playOn: (version: number, bot: string) => void;
}

/** Nothing is asked twice: the server says how far it is, and when it is done. */
export function useLook(match: string): UseLook {
  const [, go] = useLocation();
  const [progress, setProgress] = useState({ done: 0, total: 0 });
  const path = `/api/matches/${encodeURIComponent(match)}`;
  const asked = useQuery({
    queryKey: ["look", match],
    queryFn: ({ signal }) => api.get<Answer>(`${path}/analysis`, { signal }),
    staleTime: ({ state }) => (isMade(state.data) ? Number.POSITIVE_INFINITY : 0),
    retry: false,
  });
  const made = isMade(asked.data) ? asked.data : null;
  const played = useQuery({
    queryKey: ["look", match, "positions"],
    queryFn: ({ signal }) => api.get<PositionSeen[]>(`${path}/positions`, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });

  const hear = (message: PlayHeard) => {
    if (message.type === "analysis" && message.match === match) {
      setProgress({ done: message.done, total: message.total });
      if (message.ready) void asked.refetch();
    } else if (message.type === "table") {
      // It may have been ready before one was there to hear of it.
      if (message.ref === "watch") void (made || asked.refetch());
      else if (message.ref === "play_on") {
        const game = games.find(({ key }) => key === message.game);
        const href = game?.resume?.({
          ...message,
          status: "active",
          opponent: null,
          challenge: null,
        });
        if (href) go(`~${href}`);
      }
    } else if (message.type === "error" && message.ref === "play_on") toast(message.message, "bad");
  };
  const live = useLive({
    path: "/ws/play",
    hear: (message) => hear(message as PlayHeard),
    opened: (send) => send({ type: "watch", match, ref: "watch" }),
  });

  const playOn = (version: number, bot: string) =>
    void live.send({ type: "play_on", match, version, bot, ref: "play_on" });
  const error = asked.error ?? played.error;
  if (error instanceof ApiError && !error.unreachable) {
    return { look: { kind: "refused", words: sayError(error) }, playOn };
  }
  if (made && played.data) {
    return { look: { kind: "ready", analysis: made, positions: played.data }, playOn };
  }
  return { look: { kind: "making", ...progress }, playOn };
}

/** Whether a table with the computer can be gone to in this game. */
export const canPlayOn = (key: string): boolean => {
  const table = { match: "m", public_id: "p", game: key, mode: "ai" } as const;
  const game = games.find((each) => each.key === key);
  const href = game?.resume?.({ ...table, status: "active", opponent: null, challenge: null });
  return href !== undefined && href !== null;
};
