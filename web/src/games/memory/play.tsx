// Playing: from looking for an opponent to the result, over one socket.
import { useState } from "react";
import { useLocation } from "wouter";
import { serverNow } from "@/core/clock";
import type { Play as HostPlay } from "@/host/use-play";
import { Lost } from "@/pages/lost";
import { Elsewhere, SettingUp } from "@/table/no-table";
import { Searching } from "@/table/searching";
import { Button } from "@/ui/button";
import { isHeld } from "./as-table";
import { AtTable } from "./at-table";
import { Missed } from "./missed";
import { MemoryStart } from "./start";
import { CardSymbol } from "./symbols";
import { useMemory } from "./use-memory";

interface PlayProps {
  /** The host's line, for the start page behind a search. */
  host: HostPlay;
}

/** Who sits down again, after playing elsewhere, comes as if for the first time. */
export function Play({ host }: PlayProps) {
  const [sitting, setSitting] = useState(0);
  return <Sitting key={sitting} host={host} sitAgain={() => setSitting(sitting + 1)} />;
}

function Sitting({ host, sitAgain }: PlayProps & { sitAgain: () => void }) {
  const { memory, leaveQueue, ...actions } = useMemory();
  const [, go] = useLocation();
  const stopLooking = () => {
    leaveQueue();
    go("/");
  };
  if (memory.stage === "elsewhere") return <Elsewhere sitAgain={sitAgain} />;
  if (memory.stage === "refused") return <Refused />;
  if (memory.stage === "waiting") {
    return <Waiting host={host} botAt={memory.botAt} close={stopLooking} />;
  }
  if (memory.missed !== null) return <Missed gameId={memory.missed} again={actions.again} />;
  if (!isHeld(memory)) return <SettingUp title="Memory" label="Setting the table" />;
  return <AtTable held={memory} actions={actions} />;
}

interface WaitingProps extends PlayProps {
  botAt: number | null;
  close: () => void;
}

function Waiting({ host, botAt, close }: WaitingProps) {
  const [since] = useState(serverNow);
  return (
    <>
      <MemoryStart play={host} />
      <Searching picture={<ThreeCards />} since={since} botAt={botAt} close={close} />
    </>
  );
}

function ThreeCards() {
  return (
    <div aria-hidden="true" className="mem-cloth mr-15 flex justify-center gap-3 px-6 py-5">
      {[4, 9, 13].map((pairId) => (
        <span
          key={pairId}
          className="grid h-20 w-16 animate-pulse place-items-center rounded-xl bg-[#fffef9]"
          style={{ animationDelay: `${pairId * 90}ms` }}
        >
          <CardSymbol pairId={pairId} className="w-10" />
        </span>
      ))}
    </div>
  );
}

function Refused() {
  return (
    <Lost
      title="You are signed out"
      actions={
        <Button color="green" className="flex-1" onClick={() => window.location.reload()}>
          Sign in
        </Button>
      }
    >
      Sign in again to play.
    </Lost>
  );
}
