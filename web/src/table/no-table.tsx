// Where there is no table to sit at: it is set up, played in another window, closed, or somebody else's.
import { DoorOpen, MonitorSmartphone } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useTitle } from "@/core/title";
import { Lost } from "@/pages/lost";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";
import { Tray } from "@/ui/tray";

/** `label` says what one waits for. */
export function SettingUp({ title, label }: { title: string; label?: string }) {
  return (
    <main className="flex flex-1 flex-col justify-center">
      <h1 className="sr-only">{title}</h1>
      <Spinner label={label ?? "Setting up the board"} />
    </main>
  );
}

export function Elsewhere({ sitAgain }: { sitAgain: () => void }) {
  return (
    <Lost
      title="You play in another window"
      actions={
        <Button color="green" className="flex-1" onClick={sitAgain}>
          <MonitorSmartphone aria-hidden="true" /> Play here
        </Button>
      }
    >
      Your seat was taken over there, and the game goes on. You can take it back here.
    </Lost>
  );
}

interface ClosedProps {
  /** The game's. */
  title: string;
  /** "This table is closed" */
  heading: string;
  children: ReactNode;
}

export function Closed({ title, heading, children }: ClosedProps) {
  return (
    <Lost
      title={heading}
      actions={
        <Button asChild color="green" className="flex-1">
          <Link href="/">Play {title}</Link>
        </Button>
      }
    >
      {children}
    </Lost>
  );
}

interface SomebodyElsesProps {
  /** The game's. */
  title: string;
  /** Who waits there. */
  name: string;
  /** Beside the words: what is played with. */
  picture: ReactNode;
  sit: () => void;
  sitting?: boolean;
}

/** A table that waits, come upon by somebody who may sit down there. */
export function SomebodyElses({ title, name, picture, sit, sitting = false }: SomebodyElsesProps) {
  useTitle("A seat is free");
  return (
    <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-4 pb-16">
      <Tray className="flex flex-col gap-5">
        <div className="flex items-center gap-4 max-sm:flex-col max-sm:items-start">
          {picture}
          <div className="w-full min-w-0">
            <h1 className="text-3xl leading-tight break-words sm:text-4xl">{name} waits for you</h1>
            <p className="text-lg text-soft">A game of {title}, and a seat is free.</p>
          </div>
        </div>
        <Button color="green" size="large" disabled={sitting} onClick={sit}>
          <DoorOpen aria-hidden="true" />
          Sit down
        </Button>
      </Tray>
    </main>
  );
}
