// Before a game: whichever ways a game can begin, in the order one looks for them.
import { clsx } from "clsx";
import { Swords, Users, UsersRound } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { StartPage } from "@/shell/start-page";
import { Button } from "@/ui/button";
import { Opponents } from "./opponents";

interface Way {
  begin: () => void;
  /** If not as usual. */
  label?: string;
  /** Small print. */
  note?: ReactNode;
}

interface StartProps {
  title: string;
  lid: ReactNode;
  /** What was left open. */
  resume?: { href: string; label: string } | null | undefined;
  /** Nothing can be asked for now. */
  disabled?: boolean;
  anyone?: Way;
  friend?: Way;
  local?: Way;
  /** By the name of an opponent of that game. */
  computer?: { game: string; begin: (name: string) => void; disabled?: boolean };
  /** First of all: who waits for an answer. */
  calls?: ReactNode;
  /** Before the ways: what is agreed on for all of them. */
  terms?: ReactNode;
  /** What may be chosen with a friend or the computer; anyone plays as usual. */
  options?: ReactNode;
  /** After the ways: a friend's code, and what else a game has. */
  children?: ReactNode;
}

export function Start(props: StartProps) {
  const { title, lid, resume, disabled = false, anyone, friend, local, computer } = props;
  return (
    <StartPage title={title} lid={lid}>
      {props.calls}
      {resume && (
        <Button asChild color="yellow" size="large">
          <Link href={resume.href}>{resume.label}</Link>
        </Button>
      )}
      {props.terms}
      {anyone && (
        <div className="flex flex-col">
          <Button color="green" size="large" disabled={disabled} onClick={anyone.begin}>
            <Swords aria-hidden="true" />
            {anyone.label ?? "Play anyone"}
          </Button>
          {anyone.note !== undefined && (
            <p className="mt-1 min-h-6 text-center text-base text-soft">{anyone.note}</p>
          )}
        </div>
      )}
      {props.options}
      <div className={clsx("grid gap-4 empty:hidden", anyone && local && "sm:grid-cols-2")}>
        {friend && (
          <Button
            color={anyone ? "blue" : "green"}
            size={local && anyone ? "medium" : "large"}
            disabled={disabled}
            onClick={friend.begin}
          >
            <UsersRound aria-hidden="true" />
            {friend.label ?? "Play a friend"}
          </Button>
        )}
        {local && (
          <Button color="blue" disabled={disabled} onClick={local.begin}>
            <Users aria-hidden="true" />
            {local.label ?? "Two at this device"}
          </Button>
        )}
      </div>
      {computer && <Opponents disabled={disabled} {...computer} />}
      {props.children}
    </StartPage>
  );
}
