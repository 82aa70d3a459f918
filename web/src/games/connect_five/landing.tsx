// All of one's Connect Five: challenges in and out, games on the table, games played.
import { useQuery } from "@tanstack/react-query";
import { Swords, WalletMinimal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation, useSearch } from "wouter";
import { useMe } from "@/core/me";
import { money } from "@/core/money";
import { useTitle } from "@/core/title";
import { useWallet } from "@/core/wallet";
import { AgainstComputer } from "@/host/against-computer";
import { BoxLid } from "@/ui/box-lid";
import { Button } from "@/ui/button";
import { Tray } from "@/ui/tray";
import { calls } from "./calls";
import { ChallengeRow } from "./challenge-row";
import { GameRow } from "./game-row";
import { ConnectFiveLid } from "./lid";
import { NewChallengeDialog } from "./new-challenge";
import { keys } from "./news";
import { Played } from "./played";

export function Landing() {
  useTitle("Connect Five");
  const me = useMe();
  const { like, asking, ask, close } = useAsking();
  const received = useQuery({
    queryKey: keys.received,
    queryFn: ({ signal }) => calls.pending("received", signal),
  }).data?.results;
  const sent = useQuery({
    queryKey: keys.sent,
    queryFn: ({ signal }) => calls.pending("sent", signal),
  }).data?.results;
  const active = useQuery({
    queryKey: keys.active,
    queryFn: ({ signal }) => calls.active(signal),
  }).data?.results;
  return (
    <main className="mx-auto grid w-full max-w-6xl flex-1 content-start gap-5 px-3 pt-3 pb-16 sm:px-6 wide:grid-cols-[minmax(0,19rem)_minmax(0,1fr)] wide:gap-8">
      <Aside ask={ask} />
      <div className="flex min-w-0 flex-col gap-5">
        <AgainstComputer
          game="connect_five"
          note="For nothing: no stake, and tools come out of the match’s own budget."
        />
        <Section title="Challenges for you" empty="Nobody challenges you right now.">
          {me &&
            received?.map((one) => (
              <ChallengeRow key={one.id} challenge={one} userId={me.number} />
            ))}
        </Section>
        <Section title="Challenges you sent" empty="None is waiting for an answer.">
          {me &&
            sent?.map((one) => <ChallengeRow key={one.id} challenge={one} userId={me.number} />)}
        </Section>
        <Section title="Games on the table" empty="No game is being played.">
          {me && active?.map((one) => <GameRow key={one.id} match={one} userId={me.number} />)}
        </Section>
        <Tray className="p-4! sm:p-6!">
          <h2 className="mb-3 text-2xl">Games played</h2>
          <Played />
        </Tray>
      </div>
      {me && (asking === "like" ? like !== undefined : asking === "new") && (
        <NewChallengeDialog userId={me.number} open like={like ?? null} close={close} />
      )}
    </main>
  );
}

/** The dialog is open by the button, or by an address that names an earlier challenge. */
function useAsking() {
  const [, go] = useLocation();
  const asked = new URLSearchParams(useSearch());
  const again = asked.get("again");
  const [open, setOpen] = useState(asked.has("new"));
  const like = useQuery({
    queryKey: keys.challenge(again ?? ""),
    queryFn: ({ signal }) => calls.challenge(again ?? "", signal),
    enabled: again !== null,
  }).data;
  return {
    like: again === null ? undefined : like,
    asking: again !== null ? ("like" as const) : open ? ("new" as const) : null,
    ask: () => setOpen(true),
    close: () => {
      setOpen(false);
      if (asked.size > 0) go("/", { replace: true });
    },
  };
}

function Aside({ ask }: { ask: () => void }) {
  const wallet = useWallet();
  return (
    <div className="flex flex-col gap-4 max-wide:grid max-wide:grid-cols-[7rem_1fr] max-wide:items-center wide:sticky wide:top-4 wide:self-start">
      <BoxLid title="Connect Five">
        <ConnectFiveLid />
      </BoxLid>
      <div className="flex flex-col gap-3">
        <h1 className="sr-only">Connect Five</h1>
        <Button color="green" size="large" className="px-3!" onClick={ask}>
          <Swords aria-hidden="true" /> New challenge
        </Button>
        <Button asChild>
          <Link href="~/wallet">
            <WalletMinimal aria-hidden="true" />
            <span className="sr-only">Wallet: </span>
            <span className="tabular">
              {wallet ? money(wallet.balance, wallet.currency) : "Wallet"}
            </span>
          </Link>
        </Button>
      </div>
    </div>
  );
}

interface SectionProps {
  title: string;
  empty: string;
  /** Undefined while they are being fetched. */
  children: ReactNode[] | undefined | null | false;
}

function Section({ title, empty, children }: SectionProps) {
  const none = Array.isArray(children) && children.length === 0;
  return (
    <Tray className="p-4! sm:p-6!" aria-label={title}>
      <h2 className="mb-3 text-2xl">{title}</h2>
      {none || !children ? (
        <p className="min-h-7 text-lg text-soft">{none && empty}</p>
      ) : (
        <ul className="flex flex-col gap-2.5">{children}</ul>
      )}
    </Tray>
  );
}
