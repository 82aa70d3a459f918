// The purchase dialog: what the tools cost, how many, and what is left to spend.
import { clsx } from "clsx";
import { Minus, Plus } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";
import { money } from "@/core/money";
import { useWallet } from "@/core/wallet";
import type { Seat } from "@/core/wire";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Money } from "./coins";
import { playerAt } from "./match";
import { ToolPicture } from "./toolbar";
import { SPECIALS, type Special, stock } from "./tools";
import { usePurchase } from "./use-actions";
import type { Match, MatchPlayer, SpecialType } from "./wire";

const MOST_AT_ONCE = 99;

interface ShopProps {
  match: Match;
  seat: Seat;
  open: boolean;
  close: () => void;
}

/** For stakes: what is bought is paid from the wallet, into the pot. */
export function Shop({ match, seat, open, close }: ShopProps) {
  const { buy, error, pending, forget } = usePurchase(match, close);
  return (
    <ShopDialog
      description="All you pay goes into the prize pool. Your clock keeps running."
      match={match}
      player={playerAt(match, seat)}
      facts={<Facts match={match} left={playerAt(match, seat).remaining_spend} />}
      open={open}
      close={() => {
        forget();
        close();
      }}
      buy={buy}
      error={error}
      pending={pending}
      forget={forget}
    />
  );
}

interface ShopDialogProps {
  description: string;
  match: Match;
  /** Who buys. */
  player: MatchPlayer;
  facts: ReactNode;
  open: boolean;
  close: () => void;
  buy: (special: SpecialType, quantity: number) => void;
  error: string | null;
  /** Something is being bought, or done, already. */
  pending: boolean;
  forget: () => void;
}

export function ShopDialog(props: ShopDialogProps) {
  const { description, match, player, facts, open, close, buy, error, pending, forget } = props;
  const [chosen, setChosen] = useState<SpecialType>("H2");
  const [quantity, setQuantity] = useState(1);
  // The next purchase begins with one again.
  useEffect(() => {
    if (!open) setQuantity(1);
  }, [open]);
  const price = SPECIALS.find(({ type }) => type === chosen)?.price ?? 0;
  const total = price * quantity;
  const tooMuch = total > player.remaining_spend;
  const problem =
    error ??
    (tooMuch
      ? `You may spend ${money(player.remaining_spend, match.currency)} more in this match.`
      : null);
  return (
    <Dialog open={open} onClose={close} title="Buy tools" description={description}>
      <fieldset className="grid grid-cols-2 gap-2.5">
        <legend className="sr-only">Tool</legend>
        {SPECIALS.map((special) => (
          <Choice
            key={special.type}
            special={special}
            currency={match.currency}
            owned={stock(player, special.type)}
            chosen={special.type === chosen}
            choose={() => {
              setChosen(special.type);
              forget();
            }}
          />
        ))}
      </fieldset>
      <Quantity value={quantity} onChange={setQuantity} />
      {facts}
      <p role="status" className="min-h-6 text-base font-bold text-text-red">
        {problem}
      </p>
      <Button
        color="green"
        size="large"
        disabled={pending || tooMuch}
        onClick={() => buy(chosen, quantity)}
      >
        Buy {quantity} for {money(total, match.currency)}
      </Button>
    </Dialog>
  );
}

interface ChoiceProps {
  special: Special;
  currency: string;
  owned: number;
  chosen: boolean;
  choose: () => void;
}

function Choice({ special, currency, owned, chosen, choose }: ChoiceProps) {
  const { type, label, meaning, price } = special;
  return (
    <label
      className={clsx(
        "plastic pressable flex items-center gap-2.5 rounded-xl px-2.5 py-2.5 has-focus-visible:outline-3 has-focus-visible:outline-(--focus)",
        chosen && "outline-4 outline-green-dark dark:outline-green",
      )}
    >
      <input
        type="radio"
        name="special"
        value={type}
        checked={chosen}
        onChange={choose}
        className="sr-only"
      />
      <span className="c5-brass shrink-0 rounded-lg p-1 shadow-[inset_0_1px_0_#fff0bb,0_2px_0_#6d4a0b]">
        <ToolPicture type={type} className="size-8" />
      </span>
      <span className="min-w-0 leading-tight">
        <span className="text-display block text-lg">
          {label}{" "}
          <span className="text-base whitespace-nowrap text-text-gold tabular">
            {money(price, currency)}
          </span>
        </span>
        <span className="block text-sm text-soft">
          {meaning}
          {owned > 0 && `, you have ${owned}`}
        </span>
      </span>
    </label>
  );
}

function Quantity({ value, onChange }: { value: number; onChange: (value: number) => void }) {
  const step = (by: number) => onChange(Math.max(1, Math.min(MOST_AT_ONCE, value + by)));
  return (
    <div className="flex items-center justify-between gap-3">
      <span className="text-base font-bold">How many</span>
      <div className="flex items-center gap-3">
        <Button size="icon" aria-label="One less" disabled={value === 1} onClick={() => step(-1)}>
          <Minus aria-hidden="true" />
        </Button>
        <output aria-label="Quantity" className="text-display w-9 text-center text-2xl tabular">
          {value}
        </output>
        <Button
          size="icon"
          aria-label="One more"
          disabled={value === MOST_AT_ONCE}
          onClick={() => step(1)}
        >
          <Plus aria-hidden="true" />
        </Button>
      </div>
    </div>
  );
}

function Facts({ match, left }: { match: Match; left: number }) {
  const wallet = useWallet();
  return (
    <dl className="well grid grid-cols-3 gap-2 px-3 py-3 text-center text-base">
      <Fact label="Left to spend" value={left} currency={match.currency} />
      <Fact label="Prize pool" value={match.prize_pool_total} currency={match.currency} />
      <Fact label="Wallet" value={wallet?.balance} currency={match.currency} />
    </dl>
  );
}

interface FactProps {
  label: string;
  value: number | undefined;
  currency: string;
}

function Fact({ label, value, currency }: FactProps) {
  return (
    <div>
      <dt className="text-sm font-bold text-soft">{label}</dt>
      <dd className="text-display min-h-6">
        {value !== undefined && <Money value={value} currency={currency} />}
      </dd>
    </div>
  );
}
