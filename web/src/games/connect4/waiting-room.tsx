// Waiting for a friend, and how they find the way.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { useTitle } from "@/core/title";
import type { Game } from "@/core/wire";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { Invite } from "@/ui/invite";
import { toast } from "@/ui/toast";
import { Tray } from "@/ui/tray";
import { calls } from "./calls";
import { Chip } from "./chip";
import { ACTIVE_GAME } from "./open-game";

export function WaitingRoom({ game }: { game: Game }) {
  useTitle("Waiting for your friend");
  const [, go] = useLocation();
  const queries = useQueryClient();
  const code = game.code ?? "";
  const link = `${window.location.origin}/connect4/join/${code}`;
  const cancel = useMutation({
    mutationFn: () => calls.cancel(game.id),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ACTIVE_GAME });
      go("/");
    },
    onError: (error) => toast(sayError(error), "bad"),
  });
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col justify-center px-4 pt-2 pb-12">
      <Tray className="flex flex-col gap-6">
        <div className="flex items-center gap-4">
          <span aria-hidden="true" className="flex shrink-0">
            <Chip side="red" className="size-14" />
            <Chip side="yellow" className="-ml-3 size-14 opacity-35 grayscale" />
          </span>
          <div>
            <h1 className="text-3xl leading-tight sm:text-4xl">Waiting for your friend</h1>
            <p className="text-lg text-soft">The game begins as soon as they sit down.</p>
          </div>
        </div>
        <Invite code={code} link={link} game="Connect 4" />
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel this game
        </Button>
      </Tray>
    </main>
  );
}
