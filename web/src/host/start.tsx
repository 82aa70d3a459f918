// Before a game at the host: anyone, a friend, the computer, two at this device, or a friend's code.
import { useLocation } from "wouter";
import { usePlayedHere } from "@/core/played-here";
import type { Game, Hosted } from "@/games/game";
import { EnterCode } from "@/table/enter-code";
import { Searching } from "@/table/searching";
import { Start } from "@/table/start";
import { Juggling } from "@/table/tokens";
import { useOpenTables } from "./open-tables";
import type { Play } from "./use-play";

interface HostedStartProps {
  game: Game;
  hosted: Hosted;
  play: Play;
}

export function HostedStart({ game, hosted, play }: HostedStartProps) {
  const { key, title, Lid } = game;
  const [, go] = useLocation();
  const open = useOpenTables(key)[0];
  const here = usePlayedHere(key);
  const { seeking } = play.held;
  return (
    <Start
      title={title}
      lid={<Lid />}
      resume={
        open && {
          href: `/game/${open.match}`,
          label: open.opponent === null ? "Back to your table" : `Resume against ${open.opponent}`,
        }
      }
      // Nothing can be asked for before there is a line to ask on.
      disabled={play.status !== "open"}
      anyone={{
        begin: play.seek,
        note: here?.rated && "Games against people count for your rating.",
      }}
      friend={{ begin: () => play.say({ type: "open", game: key }) }}
      local={{ begin: () => play.say({ type: "open", game: key, local: true }) }}
      computer={{
        levels: here?.bots,
        begin: (bot) => play.say({ type: "play_bot", game: key, bot }),
      }}
    >
      <EnterCode join={(code) => go(`/${code}`)} />
      {seeking && (
        <Searching {...seeking} picture={<Juggling sides={hosted.sides} />} close={play.stop} />
      )}
    </Start>
  );
}
