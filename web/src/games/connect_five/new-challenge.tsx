// The dialog that makes a challenge: against whom, for how much, how long, and what that will cost.
import { clsx } from "clsx";
import { Swords } from "lucide-react";
import { type FormEvent, useState } from "react";
import { ApiError } from "@/core/api";
import { amount, money } from "@/core/money";
import { useWallet, type Wallet } from "@/core/wallet";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { PeopleField } from "@/ui/people-field";
import { words } from "./use-actions";
import { useCreate } from "./use-challenge";
import type { Challenge, NewChallenge, Person } from "./wire";

type TimeLimit = NewChallenge["time_limit_seconds"];

const LIMITS: readonly TimeLimit[] = [300, 600, 900, 1800];

interface NewChallengeProps {
  userId: number;
  open: boolean;
  close: () => void;
  /** An earlier one to begin with: the same terms against the same person. */
  like: Challenge | null;
}

export function NewChallengeDialog({ userId, open, close, like }: NewChallengeProps) {
  return (
    <Dialog open={open} onClose={close} title="New challenge">
      <Form userId={userId} like={like} />
    </Dialog>
  );
}

/** Whole numbers only; anything else is not an amount. */
const parsed = (text: string): number | null =>
  /^\d{1,16}$/.test(text.trim()) ? Number(text.trim()) : null;

function Form({ userId, like }: { userId: number; like: Challenge | null }) {
  const { send, sending, error, forget } = useCreate(userId);
  const wallet = useWallet();
  const [opponent, setOpponent] = useState<Person | null>(like ? otherOf(like, userId) : null);
  const [stake, setStake] = useState(String(like?.stake_amount ?? 100));
  const [spend, setSpend] = useState(String(like?.max_spend_amount ?? 40));
  const [limit, setLimit] = useState<TimeLimit>((like?.time_limit_seconds as TimeLimit) ?? 600);
  const [amounts, setAmounts] = useState({ stake: parsed(stake), spend: parsed(spend) });
  const ready = opponent !== null && amounts.stake !== null && amounts.spend !== null;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!ready || opponent === null || amounts.stake === null || amounts.spend === null) return;
    send({
      opponent_id: opponent.id,
      stake_amount: amounts.stake,
      max_spend_amount: amounts.spend,
      time_limit_seconds: limit,
    });
  };
  const problems = whereWrong(error);
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <PeopleField
        chosen={opponent}
        onChoose={(person) => {
          setOpponent(person);
          forget();
        }}
        problem={problems.opponent_id ?? null}
      />
      <div className="grid grid-cols-2 gap-3">
        <Field
          label={wallet ? `Stake, ${wallet.currency}` : "Stake"}
          inputMode="numeric"
          value={stake}
          onChange={(event) => {
            setStake(event.target.value);
            setAmounts({ ...amounts, stake: parsed(event.target.value) });
            forget();
          }}
          problem={problems.stake_amount ?? (amounts.stake === null ? "A whole number." : null)}
        />
        <Field
          label="For tools, at most"
          inputMode="numeric"
          value={spend}
          onChange={(event) => {
            setSpend(event.target.value);
            setAmounts({ ...amounts, spend: parsed(event.target.value) });
            forget();
          }}
          problem={problems.max_spend_amount ?? (amounts.spend === null ? "A whole number." : null)}
        />
      </div>
      <TimeLimits value={limit} onChange={setLimit} />
      <Cost stake={amounts.stake ?? 0} spend={amounts.spend ?? 0} wallet={wallet} />
      <p role="alert" className="min-h-6 text-base font-bold text-text-red">
        {problems.other}
      </p>
      <Button type="submit" color="green" size="large" disabled={!ready || sending}>
        <Swords aria-hidden="true" />
        {opponent ? `Challenge ${opponent.username}` : "Challenge"}
      </Button>
    </form>
  );
}

const otherOf = (challenge: Challenge, userId: number): Person =>
  challenge.challenger.id === userId ? challenge.opponent : challenge.challenger;

const FIELDS = ["opponent_id", "stake_amount", "max_spend_amount"] as const;
type Problems = Partial<Record<(typeof FIELDS)[number] | "other", string>>;

/** A refusal names the field it is about, or none. */
function whereWrong(error: Error | null): Problems {
  if (!error) return {};
  const body = error instanceof ApiError ? (error.body as Record<string, unknown> | null) : null;
  const field = FIELDS.find((name) => body && name in body);
  return { [field ?? "other"]: sayError(error, words) };
}

function TimeLimits(props: { value: TimeLimit; onChange: (limit: TimeLimit) => void }) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-base font-bold">Minutes on each clock</legend>
      <div className="grid grid-cols-4 gap-2">
        {LIMITS.map((limit) => (
          <label
            key={limit}
            className={clsx(
              "plastic pressable text-display grid min-h-12 place-items-center text-xl has-focus-visible:outline-3 has-focus-visible:outline-(--focus)",
              limit === props.value ? "plastic-blue" : "plastic-cream",
            )}
          >
            <input
              type="radio"
              name="time-limit"
              value={limit}
              checked={limit === props.value}
              onChange={() => props.onChange(limit)}
              className="sr-only"
            />
            {limit / 60}
            <span className="sr-only"> minutes</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface CostProps {
  stake: number;
  spend: number;
  wallet: Wallet | undefined;
}

function Cost({ stake, spend, wallet }: CostProps) {
  // What it is called comes with the wallet.
  const named = (value: number) => (wallet ? money(value, wallet.currency) : amount(value));
  return (
    <dl className="well grid grid-cols-[1fr_auto] gap-x-3 gap-y-1 px-4 py-3 text-base">
      <dt>You pay now</dt>
      <dd className="text-display text-right tabular">{named(stake)}</dd>
      <dt>With tools, at most</dt>
      <dd className="text-display text-right tabular">{named(stake + spend)}</dd>
      <dt>The winner gets</dt>
      <dd className="text-display text-right tabular">
        {named(stake * 2)}
        {spend > 0 && " and more"}
      </dd>
      <dt className="text-soft">In your wallet</dt>
      <dd className="text-display min-h-6 text-right text-soft tabular">
        {wallet && named(wallet.balance)}
      </dd>
    </dl>
  );
}
