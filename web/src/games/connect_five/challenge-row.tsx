// A pending challenge in a list: from or to whom, its terms, its time, and what one can do.
import { Swords, Undo2, X } from "lucide-react";
import { Link } from "wouter";
import { useServerNow } from "@/core/clock";
import { money } from "@/core/money";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { clockText } from "./clock";
import { useAnswer } from "./use-challenge";
import type { Challenge } from "./wire";

interface ChallengeRowProps {
  challenge: Challenge;
  userId: number;
}

export function ChallengeRow({ challenge, userId }: ChallengeRowProps) {
  const mine = challenge.challenger.id === userId;
  const other = mine ? challenge.opponent : challenge.challenger;
  const { accept, cancel, decline, busy } = useAnswer(challenge, userId);
  const now = useServerNow(1000, true);
  const left = Math.max(0, Date.parse(challenge.expires_at) - now);
  return (
    <li className="well flex flex-wrap items-center gap-x-3 gap-y-2.5 px-4 py-3">
      <Avatar name={other.username} className="size-11 shrink-0" />
      <Link href={`/games/${challenge.id}`} className="min-w-0 flex-1 rounded-lg">
        <span className="text-display block text-lg break-words leading-tight">
          {other.username}
        </span>
        <span className="block text-base text-soft tabular">
          {money(challenge.stake_amount, challenge.currency)} each ·{" "}
          {challenge.time_limit_seconds / 60} min · tools up to{" "}
          {money(challenge.max_spend_amount, challenge.currency)}
        </span>
      </Link>
      <span
        role="timer"
        aria-label="Time left"
        className="text-display text-xl text-text-gold tabular"
      >
        {clockText(left)}
      </span>
      {mine ? (
        <Button size="small" disabled={busy} onClick={cancel} className="max-sm:w-full">
          <Undo2 aria-hidden="true" /> Cancel
          <span className="sr-only"> the challenge to {other.username}</span>
        </Button>
      ) : (
        <div className="flex gap-2.5 max-sm:w-full">
          <Button
            size="small"
            color="green"
            disabled={busy}
            onClick={accept}
            className="max-sm:flex-1"
          >
            <Swords aria-hidden="true" /> Accept
            <span className="sr-only"> the challenge of {other.username}</span>
          </Button>
          <Button size="small" disabled={busy} onClick={decline} className="max-sm:flex-1">
            <X aria-hidden="true" /> Decline
            <span className="sr-only"> the challenge of {other.username}</span>
          </Button>
        </div>
      )}
    </li>
  );
}
