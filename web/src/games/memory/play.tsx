// Playing: from looking for an opponent to the result, over one socket.
import { Bot } from "lucide-react";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { serverNow, useServerNow } from "@/core/clock";
import { useTitle } from "@/core/title";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";
import { Tray } from "@/ui/tray";
import { GameTable } from "./game-table";
import { Missed } from "./missed";
import { Result } from "./result";
import { CardSymbol } from "./symbols";
import { useMemory } from "./use-memory";

export function Play() {
  const { memory, leaveQueue, leaveGame, again, ...actions } = useMemory();
  const [, go] = useLocation();
  const { stage, found, state, missed } = memory;
  const giveUp = () => {
    leaveGame();
    go("/");
  };
  if (stage === "elsewhere") return <Elsewhere />;
  if (stage === "refused") return <Refused />;
  if (stage === "waiting") {
    return (
      <Waiting
        botAt={memory.botAt}
        cancel={() => {
          leaveQueue();
          go("/");
        }}
      />
    );
  }
  if (missed !== null) return <Missed gameId={missed} again={again} />;
  if (found === null || state === null) return <Spinner label="Setting the table" />;
  return (
    <>
      <GameTable
        {...actions}
        memory={memory}
        found={found}
        state={state}
        leave={giveUp}
        again={again}
      />
      <Result
        ending={memory.ending}
        gameId={found.gameId}
        opponent={found.opponentName}
        again={again}
      />
    </>
  );
}

function Waiting({ botAt, cancel }: { botAt: number | null; cancel: () => void }) {
  useTitle("Looking for an opponent");
  const [since] = useState(serverNow);
  const now = useServerNow(500, true);
  const seconds = Math.max(0, Math.floor((now - since) / 1000));
  const bot = botAt === null ? null : Math.max(0, Math.ceil((botAt - now) / 1000));
  return (
    <main className="mx-auto grid w-full max-w-lg flex-1 content-center px-4 pb-16">
      <Tray className="flex flex-col items-center gap-5 text-center">
        <div aria-hidden="true" className="mem-cloth flex w-full justify-center gap-3 px-6 py-5">
          {[4, 9, 13].map((pairId) => (
            <span
              key={pairId}
              className="grid h-24 w-20 animate-pulse place-items-center rounded-xl bg-[#fffef9]"
              style={{ animationDelay: `${pairId * 90}ms` }}
            >
              <CardSymbol pairId={pairId} className="w-12" />
            </span>
          ))}
        </div>
        <h1 className="text-3xl leading-tight">Looking for an opponent</h1>
        <p role="timer" aria-label="Waiting for" className="text-display text-5xl tabular">
          {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}
        </p>
        <p className="flex min-h-14 items-center gap-2 text-lg text-balance text-soft">
          {bot !== null && <Bot aria-hidden="true" className="size-6 shrink-0" />}
          {bot === null
            ? "Someone will sit down soon. Keep this page open."
            : bot > 0
              ? `If nobody comes, a bot sits down in ${bot} s.`
              : "A bot is sitting down."}
        </p>
        <Button onClick={cancel}>Cancel</Button>
      </Tray>
    </main>
  );
}

function Elsewhere() {
  return (
    <Note title="You play on another device">
      Your seat went there, and this page let go of it. Reload to play here.
    </Note>
  );
}

function Refused() {
  return <Note title="You are signed out">Sign in again to play.</Note>;
}

function Note({ title, children }: { title: string; children: string }) {
  useTitle(title);
  return (
    <main className="mx-auto grid w-full max-w-lg flex-1 content-center px-4 pb-16">
      <Tray className="flex flex-col gap-4 text-center">
        <h1 className="text-3xl leading-tight">{title}</h1>
        <p className="text-lg text-soft">{children}</p>
        <Button color="blue" onClick={() => window.location.reload()}>
          Play here
        </Button>
        <Button asChild>
          <Link href="~/">Back to the shelf</Link>
        </Button>
      </Tray>
    </main>
  );
}
