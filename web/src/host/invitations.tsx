// Who keeps a seat for one: sit down there, or stay away.
import { Check, X } from "lucide-react";
import { Link } from "wouter";
import type { PlayInvitation } from "@/core/wire";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";

interface InvitationsProps {
  invitations: readonly PlayInvitation[];
  accept: (match: string) => void;
  decline: (match: string) => void;
}

export function Invitations({ invitations, accept, decline }: InvitationsProps) {
  if (invitations.length === 0) return null;
  return (
    <ul aria-label="Invitations" className="flex flex-col gap-2.5">
      {invitations.map(({ match, code, by }) => (
        <li key={match} className="well flex flex-wrap items-center gap-x-3 gap-y-2.5 px-4 py-3">
          <Avatar name={by.username} className="size-11 shrink-0" />
          <p className="min-w-0 flex-1 text-lg leading-tight">
            <span className="text-display block break-words">{by.username}</span> invites you
          </p>
          <Button asChild size="small" color="green">
            <Link href={`/${code}`} onClick={() => accept(match)}>
              <Check aria-hidden="true" /> Play
              <span className="sr-only"> with {by.username}</span>
            </Link>
          </Button>
          <Button size="small" onClick={() => decline(match)}>
            <X aria-hidden="true" /> Decline
            <span className="sr-only"> the invitation of {by.username}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}
