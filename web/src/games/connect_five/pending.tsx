// A challenge that is no match yet: who, for what, how long it stands, and what one can do.
import { Hourglass, LayoutList, RotateCcw, Swords, Undo2, X } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { useServerNow } from "@/core/clock";
import { money } from "@/core/money";
import { useTitle } from "@/core/title";
import { Button } from "@/ui/button";
import { Tray } from "@/ui/tray";
import { clockText } from "./clock";
import { CoinPile } from "./coins";
import { Stone } from "./stone";
import { useAnswer } from "./use-challenge";
import type { Challenge } from "./wire";

interface PendingProps {
  challenge: Challenge;
  userId: number;
}

export function Pending({ challenge, userId }: PendingProps) {
  const mine = challenge.challenger.id === userId;
  const other = mine ? challenge.opponent : challenge.challenger;
  const pending = challenge.status === "pending";
  useTitle(pending && mine ? `Waiting for ${other.username}` : `Challenge and ${other.username}`);
  return (
    <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col justify-center px-4 pb-12">
      <Tray className="flex flex-col gap-5">
        <Duel challenge={challenge} />
        {pending ? (
          <Banner
            title={mine ? `Waiting for ${other.username}` : `${other.username} challenges you`}
            expiresAt={challenge.expires_at}
          />
        ) : (
          <Closed challenge={challenge} mine={mine} />
        )}
        <Terms challenge={challenge} />
        {pending && <Answer challenge={challenge} userId={userId} mine={mine} />}
        {!pending && mine && (
          <Button asChild color="green" size="large">
            <Link href={`/?again=${challenge.id}`}>
              <RotateCcw aria-hidden="true" /> Challenge again
            </Link>
          </Button>
        )}
        <Button asChild>
          <Link href="/">
            <LayoutList aria-hidden="true" /> All games
          </Link>
        </Button>
      </Tray>
    </main>
  );
}

function Duel({ challenge }: { challenge: Challenge }) {
  return (
    <div className="grid grid-cols-[1fr_auto_1fr] items-center gap-3 rounded-[18px] bg-felt px-4 py-5 text-center text-white shadow-[inset_0_2px_0_var(--color-felt-light),inset_0_-8px_10px_-6px_var(--color-felt-dark),0_4px_0_var(--color-felt-dark)]">
      <p className="flex min-w-0 flex-col items-center gap-1.5">
        <Stone side="sapphire" className="size-15" />
        <span className="text-display w-full text-lg leading-tight wrap-anywhere">
          {challenge.challenger.username}
        </span>
      </p>
      <CoinPile
        total={challenge.stake_amount * 2}
        className="h-16 overflow-visible max-sm:h-12 sm:h-20"
      />
      <p className="flex min-w-0 flex-col items-center gap-1.5">
        <Stone side="amber" className="size-15" />
        <span className="text-display w-full text-lg leading-tight wrap-anywhere">
          {challenge.opponent.username}
        </span>
      </p>
    </div>
  );
}

function Banner({ title, expiresAt }: { title: string; expiresAt: string }) {
  const now = useServerNow(250, true);
  const left = Math.max(0, Date.parse(expiresAt) - now);
  return (
    <div className="flex items-center gap-4">
      <Hourglass aria-hidden="true" className="size-9 shrink-0 text-text-gold" />
      <div className="min-w-0 flex-1">
        <h1 className="text-2xl leading-tight text-balance wrap-anywhere sm:text-3xl">{title}</h1>
        <p className="text-lg text-soft">Good for another</p>
      </div>
      <span
        role="timer"
        aria-label="Time left to accept"
        className="text-display shrink-0 rounded-xl bg-[#10142a] px-3 py-2 text-4xl leading-none text-[#ffe9a3] shadow-[inset_1px_2px_5px_rgb(0_0_0/0.6)] tabular"
      >
        {clockText(left)}
      </span>
    </div>
  );
}

function Closed({ challenge, mine }: { challenge: Challenge; mine: boolean }) {
  const expired = challenge.status === "expired";
  const back = mine
    ? ` ${money(challenge.stake_amount, challenge.currency)} went back to your wallet.`
    : "";
  return (
    <div role="status">
      <h1 className="text-3xl leading-tight">
        {expired ? "This challenge expired" : "This challenge was called off"}
      </h1>
      <p className="text-lg text-soft">
        {expired ? "Nobody accepted it in time." : "It is no longer on the table."}
        {back}
      </p>
    </div>
  );
}

export function Terms({ challenge }: { challenge: Challenge }) {
  return (
    <dl className="well grid grid-cols-3 gap-2 px-3 py-3 text-center">
      <Term label="Stake, each">{money(challenge.stake_amount, challenge.currency)}</Term>
      <Term label="For tools, at most">
        {money(challenge.max_spend_amount, challenge.currency)}
      </Term>
      <Term label="Clock, each">{challenge.time_limit_seconds / 60} min</Term>
    </dl>
  );
}

function Term({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm font-bold text-soft">{label}</dt>
      <dd className="text-display text-lg tabular">{children}</dd>
    </div>
  );
}

function Answer({ challenge, userId, mine }: PendingProps & { mine: boolean }) {
  const { accept, cancel, decline, busy } = useAnswer(challenge, userId);
  if (mine) {
    return (
      <Button color="red" disabled={busy} onClick={cancel}>
        <Undo2 aria-hidden="true" /> Cancel challenge
      </Button>
    );
  }
  return (
    <>
      <Button color="green" size="large" disabled={busy} onClick={accept}>
        <Swords aria-hidden="true" />
        {challenge.stake_amount === 0
          ? "Accept and play"
          : `Accept and pay ${money(challenge.stake_amount, challenge.currency)}`}
      </Button>
      <Button disabled={busy} onClick={decline}>
        <X aria-hidden="true" /> Decline
      </Button>
    </>
  );
}
