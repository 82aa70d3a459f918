// Before a game: play, see who is best, look back.
import { History, Play as PlayIcon, Trophy } from "lucide-react";
import { Link } from "wouter";
import { StartPage } from "@/shell/start-page";
import { Button } from "@/ui/button";
import { MemoryLid } from "./lid";
import { powerUps } from "./power-ups";
import { CardSymbol } from "./symbols";

export function Start() {
  return (
    <StartPage title="Memory" lid={<MemoryLid />}>
      <Button asChild color="green" size="large">
        <Link href="/play">
          <PlayIcon aria-hidden="true" /> Play
        </Link>
      </Button>
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
    </StartPage>
  );
}
