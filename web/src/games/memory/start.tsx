// Before a game: play anybody or the computer, see who is best, look back.
import { History, Trophy } from "lucide-react";
import { Link, useLocation } from "wouter";
import type { OpenTable } from "@/core/wire";
import { useOpenTables } from "@/host/open-tables";
import { useComputer } from "@/host/use-computer";
import type { Play } from "@/host/use-play";
import { Start } from "@/table/start";
import { Button } from "@/ui/button";
import { MemoryLid } from "./lid";
import { powerUps } from "./power-ups";
import { CardSymbol } from "./symbols";

const resumed = ({ match, mode, opponent }: OpenTable) => ({
  href: mode === "ai" ? `/game/${match}` : "/play",
  label: `Resume against ${opponent}`,
});

export function MemoryStart({ play }: { play: Play }) {
  const [, go] = useLocation();
  const open = useOpenTables("memory")[0];
  const computer = useComputer("memory", play);
  return (
    <Start
      title="Memory"
      lid={<MemoryLid />}
      resume={open?.status === "active" ? resumed(open) : null}
      disabled={computer.disabled}
      anyone={{ begin: () => go("/play"), label: "Play" }}
      computer={computer}
    >
      <div className="grid grid-cols-2 gap-3">
        <Button asChild>
          <Link href="/leaderboard">
            <Trophy aria-hidden="true" /> Best
          </Link>
        </Button>
        <Button asChild>
          <Link href="~/history?game=memory">
            <History aria-hidden="true" /> Played
          </Link>
        </Button>
      </div>
      <section aria-label="Power-ups" className="well flex flex-col gap-3 px-4 py-3.5">
        <h2 className="text-display text-lg">Four pairs bring a power-up</h2>
        <ul className="flex flex-col gap-2.5">
          {powerUps.map(({ id, label, description, pairId }) => (
            <li key={id} className="flex items-center gap-3">
              <span className="grid size-12 shrink-0 place-items-center rounded-xl border-3 border-brass bg-[#fff6d6]">
                <CardSymbol pairId={pairId} className="size-9" />
              </span>
              <span className="text-base leading-snug text-soft">
                <b className="text-text">{label}.</b> {description}
              </span>
            </li>
          ))}
        </ul>
      </section>
    </Start>
  );
}
