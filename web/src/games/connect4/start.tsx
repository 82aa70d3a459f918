// Before a game: find someone, invite a friend, or take up an invitation.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { sayError } from "@/core/words";
import { EnterCode } from "@/table/enter-code";
import { Start } from "@/table/start";
import { toast } from "@/ui/toast";
import { calls, gameToFinish } from "./calls";
import { Connect4Lid } from "./lid";
import { Matchmaking } from "./matchmaking";
import { ACTIVE_GAME, useOpenGame } from "./open-game";
import { SearchElsewhere, useSearchElsewhere } from "./search-elsewhere";

export function Connect4Start() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const open = useOpenGame();
  const [seeking, setSeeking] = useState(false);
  const elsewhere = useSearchElsewhere(!seeking && !open);
  const stopSeeking = useCallback(() => setSeeking(false), []);
  const sitting = {
    onSuccess: ({ publicId }: { publicId: string }) => go(`/game/${publicId}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ACTIVE_GAME }),
  };
  const create = useMutation({
    ...sitting,
    mutationFn: calls.create,
    onError: (error) => {
      const publicId = gameToFinish(error);
      if (publicId !== null) go(`/game/${publicId}`);
      toast(sayError(error), "bad");
    },
  });
  const join = useMutation({ ...sitting, mutationFn: calls.join });
  if (open) {
    return (
      <Start
        title="Connect 4"
        lid={<Connect4Lid />}
        resume={{ href: `~${open.href}`, label: "Resume your game" }}
      >
        <p className="text-lg text-soft">
          You have a game open. Finish it before you start another one.
        </p>
      </Start>
    );
  }
  return (
    <Start
      title="Connect 4"
      lid={<Connect4Lid />}
      calls={elsewhere && <SearchElsewhere search={elsewhere} waitHere={() => setSeeking(true)} />}
      {...(!elsewhere && { anyone: { begin: () => setSeeking(true), label: "Quick match" } })}
      friend={{ begin: () => create.isPending || create.mutate() }}
    >
      <EnterCode
        join={join.mutate}
        problem={join.error ? sayError(join.error) : null}
        changed={join.reset}
        disabled={join.isPending}
      />
      {seeking && <Matchmaking close={stopSeeking} />}
    </Start>
  );
}
