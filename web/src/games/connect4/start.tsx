// Before a game: find someone, invite a friend, take up an invitation, or play the computer.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useLocation } from "wouter";
import { usePlayedHere } from "@/core/played-here";
import { sayError } from "@/core/words";
import { offeredIn } from "@/host/offered";
import type { Play } from "@/host/use-play";
import { EnterCode } from "@/table/enter-code";
import { type Chosen, Options } from "@/table/options";
import { Start } from "@/table/start";
import { toast } from "@/ui/toast";
import { calls, gameToFinish, QUICK_MOVE_SEC } from "./calls";
import { Connect4Lid } from "./lid";
import { Matchmaking } from "./matchmaking";
import { ACTIVE_GAME, useOpenGame } from "./open-game";
import { SearchElsewhere, useSearchElsewhere } from "./search-elsewhere";

export function Connect4Start({ play }: { play: Play }) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const open = useOpenGame();
  const [seeking, setSeeking] = useState(false);
  const elsewhere = useSearchElsewhere(!seeking && !open);
  const stopSeeking = useCallback(() => setSeeking(false), []);
  const here = usePlayedHere("connect4");
  const [chosen, setChosen] = useState<Chosen>({});
  const moveTimeSec = typeof chosen.move_ms === "number" ? chosen.move_ms / 1000 : null;
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
      {...(!elsewhere && {
        anyone: {
          begin: () => setSeeking(true),
          label: "Quick match",
          note: `${QUICK_MOVE_SEC} seconds for each move.`,
        },
      })}
      friend={{ begin: () => create.isPending || create.mutate(moveTimeSec) }}
      computer={{
        game: "connect4",
        begin: (bot) => play.say({ type: "play_bot", game: "connect4", bot }),
        // Nothing can be asked for before there is a line to ask on.
        disabled: play.status !== "open",
      }}
      options={<Options options={offeredIn(here?.options)} chosen={chosen} choose={setChosen} />}
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
