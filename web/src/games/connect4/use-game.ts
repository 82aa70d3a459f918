// One game as the page holds it: by socket while that is open, else fetched every two seconds.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "@/core/api";
import { noteServerTime, serverTime, useServerNow } from "@/core/clock";
import { useConfig } from "@/core/config";
import { useMe } from "@/core/me";
import { useLive } from "@/core/use-live";
import type { Connect4Event, Game, PlayerNumber } from "@/core/wire";
import { calls } from "./calls";
import { heard, newer } from "./events";
import { isOver, lastSeen, otherPlayer, seatOf } from "./sides";

/** Unseen for longer than a few polls is "away". */
const AWAY_MS = 6000;
/** An answer may take this much longer than usual. */
const STRAGGLE_MS = 1000;
/** Until the server has said how it is set up. */
const USUAL = { abandonThresholdSec: 30, pollIntervalMs: 2000 };

export const gameKey = (publicId: string) => ["connect4", "game", publicId] as const;

export interface Opponent {
  here: boolean;
  /** Once it is over: whether they are still at the table, as far as anybody told. */
  stayed: boolean;
  /** How long they have not been seen. */
  unseenMs: number;
  /** When that is long enough, the win can be claimed. */
  claimable: boolean;
  claimableInMs: number;
}

export interface HeldGame {
  game: Game | undefined;
  error: ApiError | null;
  seat: PlayerNumber | null;
  opponent: Opponent;
  /** Replace the game with a fresher one, such as the answer to a move. */
  hold: (game: Game) => void;
  refetch: () => Promise<unknown>;
}

export function useGame(publicId: string): HeldGame {
  const queries = useQueryClient();
  const key = gameKey(publicId);
  const me = useMe();
  // Set by the socket; while it stands the server is asked, since only it knows when they were seen.
  const [away, setAway] = useState(false);
  const [liveClosed, setLiveClosed] = useState(false);
  const { abandonThresholdSec, pollIntervalMs } = useConfig() ?? USUAL;
  const threshold = abandonThresholdSec * 1000;
  const awayAfter = Math.min(AWAY_MS, threshold / 2);

  const refetch = () => queries.refetchQueries({ queryKey: key, exact: true });

  const { status } = useLive({
    path: me && !liveClosed ? `/ws/connect4/${encodeURIComponent(publicId)}` : null,
    hear: (message) => {
      const event = message as Connect4Event;
      noteServerTime(event.timestamp, true);
      if (event.type === "opponent_away") setAway(true);
      if (event.type === "opponent_back") setAway(false);
      if (event.type === "game" || event.type === "game_started") {
        const mine = seatOf(event.payload, me?.id);
        const silent = unseen(event.payload, mine, Date.parse(event.timestamp)) > awayAfter;
        // Of a game that is over nobody is seen any more; who has left it is told next.
        setAway(silent && !isOver(event.payload));
      }
      const held = queries.getQueryData<Game>(key);
      if (!held) {
        if (event.type === "game") queries.setQueryData(key, event.payload);
        return;
      }
      const next = heard(held, event);
      if (next.game !== held) queries.setQueryData(key, next.game);
      if (next.refetch) void refetch();
    },
    // A game that is unknown or a token that is bad will be told by the next request, in words.
    refused: () => setLiveClosed(true),
  });

  const query = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => calls.game(publicId, signal),
    structuralSharing: (held, come) => newer(held as Game | undefined, come as Game),
    refetchInterval: ({ state }) => {
      const finished = state.data ? isOver(state.data) && state.data.rematchPublicId : state.error;
      const unsure = away && state.data?.status === "ACTIVE";
      return finished || (status === "open" && !unsure) ? false : pollIntervalMs;
    },
    refetchIntervalInBackground: true,
  });
  const game = query.data;
  const seat = game ? seatOf(game, me?.id) : null;

  const doubtful = game?.status === "ACTIVE" && (away || status !== "open");
  // While the server cannot be asked nobody grows more absent.
  const known = serverTime(query.dataUpdatedAt) + pollIntervalMs + STRAGGLE_MS;
  const now = Math.min(useServerNow(500, doubtful), known);
  const unseenMs = game && doubtful ? unseen(game, seat, now) : 0;

  return {
    game,
    error: query.error instanceof ApiError ? query.error : null,
    seat,
    opponent: {
      here: unseenMs < awayAfter,
      stayed: !away,
      unseenMs,
      claimable: unseenMs >= threshold,
      claimableInMs: Math.max(0, threshold - unseenMs),
    },
    hold: (fresh) => queries.setQueryData<Game>(key, (held) => newer(held, fresh)),
    refetch,
  };
}

function unseen(game: Game, seat: PlayerNumber | null, now: number): number {
  const seen = seat === null ? null : lastSeen(game, otherPlayer(seat));
  return seen === null ? 0 : Math.max(0, now - Date.parse(seen));
}
