// What a player does at the table: drop, claim, give up, ask for another round. The server decides each.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { ApiError } from "@/core/api";
import { ME } from "@/core/me";
import type { Game } from "@/core/wire";
import { sayError } from "@/core/words";
import { toast } from "@/ui/toast";
import { calls } from "./calls";
import { ACTIVE_GAME } from "./open-game";
import { isOver } from "./sides";
import { gameKey, type HeldGame } from "./use-game";

const MOVE_FAILED = "Move failed - please try again";
const words = {
  HAS_ACTIVE_GAME: "One of you is in another game already.",
  GAME_NOT_ACTIVE: "The game is already over.",
};

export type Actions = ReturnType<typeof useActions>;

/** `playAnyone` looks for somebody else. */
export function useActions({ hold, refetch }: HeldGame, game: Game, playAnyone: () => void) {
  const queries = useQueryClient();
  const [, go] = useLocation();

  const move = useMutation({
    mutationFn: ({ column }: { column: number; before: number }) => calls.move(game.id, column),
    onSuccess: (answer) => hold(answer.game),
    onError: async (error, { before }) => {
      // Whatever was refused, the page was behind: look again before the next try.
      await refetch();
      const lost = error instanceof ApiError && error.unreachable;
      const made = queries.getQueryData<Game>(gameKey(game.publicId))?.moves.length ?? 0;
      if (lost && made > before) return; // only the answer was
      const told =
        error instanceof ApiError &&
        (error.tooMuch || error.code === "USE_CLAIM_ABANDONED_ENDPOINT");
      toast(told ? sayError(error) : MOVE_FAILED, "bad");
    },
  });

  const claim = useMutation({
    mutationFn: () => calls.claim(game.id),
    onSuccess: (answer) => hold(answer.game),
    onError: async (error) => {
      await refetch();
      toast(sayError(error, words), "bad");
    },
  });

  const resign = useMutation({
    mutationFn: () => calls.resign(game.id),
    onSuccess: (answer) => hold(answer.game),
    onError: async (error) => {
      await refetch();
      toast(sayError(error, words), "bad");
    },
  });

  const rematch = useMutation({
    mutationFn: () => calls.rematch(game.id),
    onSuccess: () => refetch(),
    onError: (error) => toast(sayError(error, words), "bad"),
  });

  const withdraw = useMutation({
    mutationFn: () => calls.withdrawRematch(game.id),
    onSuccess: () => refetch(),
    onError: (error) => toast(sayError(error, words), "bad"),
  });

  // The other one agreed, or agreed first: both go to the same new game. One that had its rematch
  // before it was opened here is looked up later, and stays.
  const next = game.rematchPublicId;
  const [hadRematch] = useState(next !== null);
  useEffect(() => {
    if (next !== null && !hadRematch) go(`/game/${next}`, { replace: true });
  }, [next, hadRematch, go]);

  const over = isOver(game);
  useEffect(() => {
    if (!over) return;
    void queries.invalidateQueries({ queryKey: ME });
    void queries.invalidateQueries({ queryKey: ACTIVE_GAME });
  }, [over, queries]);

  // The socket may show the move, and the answer to it, before the request for it is answered.
  const before = game.moves.length;
  const underWay = move.isPending && move.variables.before === before;

  return {
    /** The column of the move under way. */
    held: underWay ? move.variables.column : null,
    drop: (column: number) => {
      if (!underWay) move.mutate({ column, before });
    },
    claim: () => {
      if (!claim.isPending) claim.mutate();
    },
    resign: () => {
      if (!resign.isPending) resign.mutate();
    },
    playAnyone,
    rematch: () => rematch.mutate(),
    asking: rematch.isPending,
    withdraw: () => {
      if (!withdraw.isPending) withdraw.mutate();
    },
  };
}
