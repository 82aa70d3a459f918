// Where there is no table to sit at: it is set up, played in another window, closed, or somebody else's.
import { MonitorSmartphone } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { Lost } from "@/pages/lost";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";

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

export function SomebodyElses({ name }: { name: string }) {
  return (
    <Lost title="A seat is free here">
      {name} is waiting for a friend. Ask them for the code to sit down.
    </Lost>
  );
}
