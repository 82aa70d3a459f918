// One room by its code: waiting, an invitation, or the table.
import { DoorOpen } from "lucide-react";
import type { FormEvent } from "react";
import { useTitle } from "@/core/title";
import { Closed, Elsewhere, SettingUp } from "@/table/no-table";
import { WaitingRoom } from "@/table/waiting-room";
import { Button } from "@/ui/button";
import { Tray } from "@/ui/tray";
import { AtTable } from "./at-table";
import { NameField, usePlayName } from "./name-field";
import { Piece } from "./piece";
import { nameOf } from "./room";
import { type HeldRoom, useRoom } from "./use-room";
import type { Game } from "./wire";

export function RoomView({ code }: { code: string }) {
  const held = useRoom(code);
  const { room, seat } = held;
  if (held.elsewhere) return <Elsewhere sitAgain={held.takeBack} />;
  if (room.missing) {
    return (
      <Closed title="Quarto" heading="This room is closed">
        Nobody waits under this code. Rooms that nobody is in are put away after a while: open a new
        one and send the code again.
      </Closed>
    );
  }
  const { game } = room;
  if (!game) return <SettingUp title="Quarto" />;
  if (game.status !== "waiting") return <AtTable held={held} game={game} />;
  if (seat === null) return <Invitation held={held} game={game} />;
  return (
    <WaitingRoom
      title="Quarto"
      picture={<TwoPieces />}
      code={code}
      path={`/quarto/${code}`}
      cancel={held.cancel}
      cancelLabel="Close this room"
    />
  );
}

function Invitation({ held, game }: { held: HeldRoom; game: Game }) {
  useTitle("A seat is free");
  const name = usePlayName();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void name().then(held.join);
  };
  return (
    <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-4 pb-16">
      <Tray className="flex flex-col gap-5">
        <div className="flex items-center gap-4">
          <TwoPieces />
          <div>
            <h1 className="text-3xl leading-tight break-words sm:text-4xl">
              {nameOf(game, 0)} waits for you
            </h1>
            <p className="text-lg text-soft">A game of Quarto, and a seat is free.</p>
          </div>
        </div>
        <form onSubmit={submit} className="flex flex-col gap-2">
          <NameField />
          <Button type="submit" color="green" size="large" disabled={held.pending !== null}>
            <DoorOpen aria-hidden="true" />
            Sit down
          </Button>
        </form>
      </Tray>
    </main>
  );
}

function TwoPieces() {
  return (
    <span aria-hidden="true" className="q-hop flex shrink-0">
      <Piece piece={13} className="w-11 sm:w-13" />
      <Piece piece={2} className="-ml-2 w-11 sm:w-13" />
    </span>
  );
}
