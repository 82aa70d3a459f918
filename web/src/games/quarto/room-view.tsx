// One room by its code: waiting, an invitation, or the table.
import { DoorOpen, MonitorSmartphone } from "lucide-react";
import type { FormEvent } from "react";
import { Link } from "wouter";
import { useTitle } from "@/core/title";
import { Lost } from "@/pages/lost";
import { Button } from "@/ui/button";
import { Invite } from "@/ui/invite";
import { Spinner } from "@/ui/spinner";
import { Tray } from "@/ui/tray";
import { GameTable } from "./game-table";
import { NameField, usePlayName } from "./name-field";
import { Piece } from "./piece";
import { nameOf } from "./room";
import { type HeldRoom, useRoom } from "./use-room";
import type { Game } from "./wire";

export function RoomView({ code }: { code: string }) {
  const held = useRoom(code);
  const { room, seat } = held;
  if (held.elsewhere) return <Elsewhere takeBack={held.takeBack} />;
  if (room.missing) return <Closed />;
  const { game } = room;
  if (!game) {
    return (
      <main className="flex flex-1 flex-col justify-center">
        <Spinner label="Setting up the board" />
      </main>
    );
  }
  if (game.status !== "waiting") return <GameTable held={held} game={game} />;
  return seat === null ? (
    <Invitation held={held} game={game} />
  ) : (
    <WaitingRoom code={code} cancel={held.cancel} />
  );
}

function WaitingRoom({ code, cancel }: { code: string; cancel: () => void }) {
  useTitle("Waiting for your friend");
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col justify-center px-4 pt-2 pb-12">
      <Tray className="flex flex-col gap-6">
        <div className="flex items-center gap-4">
          <TwoPieces />
          <div>
            <h1 className="text-3xl leading-tight sm:text-4xl">Waiting for your friend</h1>
            <p className="text-lg text-soft">The game begins as soon as they sit down.</p>
          </div>
        </div>
        <Invite code={code} link={`${window.location.origin}/quarto/${code}`} game="Quarto" />
        <Button onClick={cancel}>Close this room</Button>
      </Tray>
    </main>
  );
}

function Invitation({ held, game }: { held: HeldRoom; game: Game }) {
  useTitle("A seat is free");
  const name = usePlayName();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    held.join(name);
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

function Closed() {
  useTitle("This room is closed");
  return (
    <Lost
      title="This room is closed"
      actions={
        <Button asChild color="green" className="flex-1">
          <Link href="/">Play Quarto</Link>
        </Button>
      }
    >
      Nobody waits under this code. Rooms that nobody is in are put away after a while: open a new
      one and send the code again.
    </Lost>
  );
}

function Elsewhere({ takeBack }: { takeBack: () => void }) {
  useTitle("Open in another window");
  return (
    <Lost
      title="You play in another window"
      actions={
        <Button color="green" className="flex-1" onClick={takeBack}>
          <MonitorSmartphone aria-hidden="true" /> Play here
        </Button>
      }
    >
      Your seat was taken over there, and the game goes on. You can take it back here.
    </Lost>
  );
}
