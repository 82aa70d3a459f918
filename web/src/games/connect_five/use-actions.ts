// What a player does at the table: place, break, buy. The server decides each.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "@/core/api";
import { money } from "@/core/money";
import { play } from "@/core/sound";
import { sayError } from "@/core/words";
import { toast } from "@/ui/toast";
import type { Placement } from "./board";
import { calls } from "./calls";
import { holdMatch, keys } from "./news";
import type { Match, SpecialType } from "./wire";

export const words = {
  max_spend_exceeded: "That is more than both of you agreed to spend.",
  not_your_turn: "It is not your turn any more.",
  match_ended: "The match is already over.",
  clock_expired: "The clock ran out before that.",
  match_not_active: "The match is already over.",
  challenge_expired: "That challenge has expired.",
  challenge_cancelled: "That challenge was called off.",
  challenge_accepted: "That challenge was accepted already.",
};

/** What was not answered may be asked again: `calls` sees to it that it happens once. */
export const askAgain = (failures: number, error: Error): boolean =>
  failures < 2 && error instanceof ApiError && error.unreachable;

export function useMove(match: Match) {
  const queries = useQueryClient();
  const move = useMutation({
    mutationFn: ({ placement: { tool, place } }: { placement: Placement; before: number }) =>
      calls.move(match.id, tool, place.x, place.y),
    onSuccess: (answer) => holdMatch(queries, answer),
    onError: async (error) => {
      // Whatever was refused, the page was behind: look again before the next try.
      await queries.refetchQueries({ queryKey: keys.match(match.id) });
      toast(sayError(error, words), "bad");
    },
  });
  // The socket may show the move, and the answer to it, before the request for it is answered.
  const before = match.version;
  const underWay = move.isPending && move.variables.before === before;
  return {
    held: underWay ? move.variables.placement : null,
    place: (placement: Placement) => {
      if (!underWay) move.mutate({ placement, before });
    },
  };
}

interface Wish {
  special: SpecialType;
  quantity: number;
}

export function usePurchase(match: Match, done: () => void) {
  const queries = useQueryClient();
  const purchase = useMutation({
    mutationFn: ({ special, quantity }: Wish) => calls.purchase(match.id, special, quantity),
    retry: askAgain,
    onSuccess: (answer, { quantity, special }) => {
      holdMatch(queries, answer);
      play("coins");
      toast(
        `Bought ${quantity} × ${special}. ${money(answer.remaining_spend, answer.currency)} left to spend.`,
        "good",
      );
      done();
    },
  });
  return {
    error: purchase.error ? sayError(purchase.error, words) : null,
    pending: purchase.isPending,
    forget: purchase.reset,
    /** Pressing twice while it is under way buys once. */
    buy: (special: SpecialType, quantity: number) =>
      purchase.isPending || purchase.mutate({ special, quantity }),
  };
}
