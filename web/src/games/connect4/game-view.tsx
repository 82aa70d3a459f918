// One game by its address: the room while it waits, the table from then on.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Game } from "@/core/wire";
import { sayError } from "@/core/words";
import { Lost } from "@/pages/lost";
import { GameTable } from "@/table/game-table";
import { SettingUp, SomebodyElses } from "@/table/no-table";
import { TwoTokens } from "@/table/tokens";
import { WaitingRoom } from "@/table/waiting-room";
import { toast } from "@/ui/toast";
import { asTable } from "./as-table";
import { Board } from "./board";
import { calls } from "./calls";
import { Cheer } from "./cheer";
import { kit } from "./kit";
import { Matchmaking } from "./matchmaking";
import { ACTIVE_GAME } from "./open-game";
import { useActions } from "./use-actions";
import { type HeldGame, useGame } from "./use-game";

export function GameView({ publicId }: { publicId: string }) {
  const held = useGame(publicId);
  const { game, error, seat } = held;
  if (error?.code === "GAME_NOT_FOUND") {
    return (
      <Lost title="This game is gone">
        Games that nobody joins or plays are put away after a while. Start a new one from the shelf.
      </Lost>
    );
  }
  if (!game) {
    return error ? (
      <SettingUp title="Connect 4" label={sayError(error)} />
    ) : (
      <SettingUp title="Connect 4" />
    );
  }
  if (game.status !== "WAITING") return <AtTable held={held} game={game} />;
  return seat === 1 ? <Waiting game={game} /> : <FreeSeat held={held} game={game} />;
}

function AtTable({ held, game }: { held: HeldGame; game: Game }) {
  const [seeking, setSeeking] = useState(false);
  const table = asTable(
    game,
    held,
    useActions(held, game, () => setSeeking(true)),
  );
  const { ended, seats } = table;
  const lost = ended !== null && ended.winner !== null && ended.winner !== seats[0];
  return (
    <>
      <GameTable
        title="Connect 4"
        table={table}
        kit={kit}
        board={(props) => <Board {...props} />}
        hint={<Hint held={held} mine={table.legal.length > 0} />}
        cheer={ended && <Cheer winner={ended.winner} lost={lost} />}
      />
      {seeking && <Matchmaking close={() => setSeeking(false)} />}
    </>
  );
}

/** The address of a game that waits, opened by somebody else. */
function FreeSeat({ held, game }: { held: HeldGame; game: Game }) {
  const queries = useQueryClient();
  const join = useMutation({
    mutationFn: () => calls.join(game.code ?? ""),
    onSuccess: ({ game: begun }) => held.hold(begun),
    onError: async (error) => {
      await held.refetch();
      toast(sayError(error), "bad");
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ACTIVE_GAME }),
  });
  return (
    <SomebodyElses
      title="Connect 4"
      name={game.player1.username}
      picture={<TwoTokens sides={kit.sides} />}
      sit={() => join.mutate()}
      sitting={join.isPending}
    />
  );
}

function Hint({ held: { seat, opponent }, mine }: { held: HeldGame; mine: boolean }) {
  if (seat !== null && !opponent.here) {
    const seconds = Math.ceil(opponent.claimableInMs / 1000);
    return `Your opponent lost the connection. You can claim the win in ${seconds} s.`;
  }
  if (!mine) return null;
  return (
    <>
      <span className="pointer-coarse:hidden">Pick a column, or press 1 to 7.</span>
      <span className="hidden pointer-coarse:inline">Tap a column.</span>
    </>
  );
}

function Waiting({ game }: { game: Game }) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => calls.cancel(game.id),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ACTIVE_GAME });
      go("/");
    },
    onError: (error) => toast(sayError(error), "bad"),
  });
  return (
    <WaitingRoom
      title="Connect 4"
      picture={<TwoTokens sides={kit.sides} />}
      code={game.code ?? ""}
      path={`/connect4/join/${game.code}`}
      cancel={() => cancel.mutate()}
      cancelLabel="Cancel this game"
      cancelling={cancel.isPending}
    />
  );
}
