// The wallet: what is in it, how that changed over time, and every entry.
import { ArrowDownLeft, ArrowUpRight } from "lucide-react";
import { Link } from "wouter";
import { amount, money } from "@/core/money";
import { useTitle } from "@/core/title";
import { useWallet, useWalletEntries, useWalletLive, type WalletEntry } from "@/core/wallet";
import { sayError } from "@/core/words";
import { SignedIn } from "@/shell/signed-in";
import { ShowOlder } from "@/ui/show-older";
import { Spinner } from "@/ui/spinner";
import { Tray } from "@/ui/tray";
import { BalancePlot } from "./balance-plot";

export default function WalletPage() {
  useTitle("Wallet");
  return (
    <SignedIn>
      <main className="mx-auto flex w-full max-w-3xl flex-1 flex-col gap-5 px-3 pt-4 pb-16 sm:px-6">
        <h1 className="text-4xl leading-tight">Wallet</h1>
        <Contents />
      </main>
    </SignedIn>
  );
}

function Contents() {
  useWalletLive();
  const wallet = useWallet();
  const list = useWalletEntries();
  const { data, error } = list;
  const entries = data?.pages.flatMap((page) => page.results);
  return (
    <>
      <Tray className="flex flex-col gap-4">
        <p className="leading-tight">
          <span className="block text-base font-bold text-soft">You have</span>
          <span className="text-display block min-h-14 text-5xl tabular" data-testid="balance">
            {wallet && (
              <>
                {amount(wallet.balance)}{" "}
                <span className="text-2xl text-soft">{wallet.currency}</span>
              </>
            )}
          </span>
        </p>
        {entries && entries.length > 0 && <BalancePlot entries={entries} />}
        {!entries && !error && <div aria-hidden="true" className="well h-50.5 sm:h-58.5" />}
      </Tray>
      <Tray aria-label="Entries">
        <h2 className="mb-3 text-2xl">What moved</h2>
        {error && <p className="text-lg text-soft">{sayError(error)}</p>}
        {!entries && !error && <Spinner label="Looking it up" />}
        {entries?.length === 0 && (
          <p className="text-lg text-soft">
            Nothing yet. Your wallet opens with your first Connect Five challenge.
          </p>
        )}
        <ul className="flex flex-col gap-2">
          {entries?.map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
        <ShowOlder list={list} />
      </Tray>
    </>
  );
}

const reasons: Record<string, string> = {
  grant: "A gift from the house",
  stake_lock: "Stake for your challenge",
  stake_accept: "Stake for a challenge you accepted",
  purchase: "Tools bought",
  win_payout: "Prize pool won",
  draw_refund: "Back after a draw",
  challenge_refund: "Back from a challenge that came to nothing",
  cancel_refund: "Back from a match called off",
};

const day = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  hour: "2-digit",
  minute: "2-digit",
});

function Entry({ entry }: { entry: WalletEntry }) {
  const credit = entry.direction === "credit";
  const Icon = credit ? ArrowDownLeft : ArrowUpRight;
  const tone = credit ? "text-text-green" : "text-text-red";
  return (
    <li className="well flex min-h-16 items-center gap-3.5 px-4 py-2">
      <Icon aria-hidden="true" className={`size-7 shrink-0 ${tone}`} />
      <span className="min-w-0 flex-1">
        <span className="block text-lg leading-tight font-bold">
          {reasons[entry.action] ?? entry.action.replaceAll("_", " ")}
        </span>
        <span className="block text-base text-soft tabular">
          {day.format(new Date(entry.created_date))}
          {entry.challenge && (
            <>
              {" · "}
              <Link
                href={`/connect-five/games/${entry.challenge}`}
                className="font-bold underline underline-offset-3"
              >
                the game
              </Link>
            </>
          )}
        </span>
      </span>
      <span className="shrink-0 text-right leading-tight">
        <span className={`text-display block text-xl tabular ${tone}`}>
          {credit ? "+" : "−"}
          {amount(entry.amount)}
        </span>
        <span className="block text-sm text-soft tabular">
          {money(entry.balance, entry.currency)}
        </span>
      </span>
    </li>
  );
}
