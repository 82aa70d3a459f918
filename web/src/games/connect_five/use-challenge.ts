// What can be done with a challenge: send it, accept or decline it, take it back.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { money } from "@/core/money";
import { useRefreshNotifications } from "@/core/notifications";
import { play } from "@/core/sound";
import { sayError } from "@/core/words";
import { toast } from "@/ui/toast";
import { calls } from "./calls";
import { holdChallenge, holdMatch, keys } from "./news";
import { askAgain, words } from "./use-actions";
import type { Challenge, NewChallenge } from "./wire";

export function useCreate(userId: number) {
  const queries = useQueryClient();
  const [, go] = useLocation();
  const create = useMutation({
    mutationFn: (terms: NewChallenge) => calls.create(terms),
    retry: askAgain,
    onSuccess: (challenge) => {
      play("coins");
      holdChallenge(queries, challenge, userId);
      go(`/games/${challenge.id}`);
    },
  });
  return {
    send: (terms: NewChallenge) => create.mutate(terms),
    sending: create.isPending,
    error: create.error,
    forget: create.reset,
  };
}

export function useAnswer(challenge: Challenge, userId: number) {
  const queries = useQueryClient();
  const lookAtBell = useRefreshNotifications();
  const [, go] = useLocation();
  const onError = async (error: Error) => {
    await queries.invalidateQueries({ queryKey: keys.challenge(challenge.id) });
    toast(sayError(error, words), "bad");
  };
  const accept = useMutation({
    mutationFn: () => calls.accept(challenge.id),
    retry: askAgain,
    onSuccess: (match) => {
      play("coins");
      holdMatch(queries, match);
      const accepted = { ...challenge, status: "accepted" as const, match_id: match.id };
      holdChallenge(queries, accepted, userId);
      lookAtBell();
      go(`/games/${challenge.id}`);
    },
    onError,
  });
  const cancel = useMutation({
    mutationFn: () => calls.cancel(challenge.id),
    retry: askAgain,
    onSuccess: (cancelled) => {
      holdChallenge(queries, cancelled, userId);
      toast(
        `Taken back. ${money(cancelled.stake_amount, cancelled.currency)} returned to your wallet.`,
        "good",
      );
    },
    onError,
  });
  const decline = useMutation({
    mutationFn: () => calls.decline(challenge.id),
    retry: askAgain,
    onSuccess: (declined) => {
      holdChallenge(queries, declined, userId);
      toast(`Declined. ${challenge.challenger.username} is told.`, "good");
      lookAtBell();
    },
    onError,
  });
  return {
    accept: () => accept.mutate(),
    cancel: () => cancel.mutate(),
    decline: () => decline.mutate(),
    busy: accept.isPending || cancel.isPending || decline.isPending,
  };
}
