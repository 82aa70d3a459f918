// Before a game at the host: anyone, a friend by link or name, the computer, two at this device, a code.
import { useState } from "react";
import { useLocation } from "wouter";
import { usePlayedHere } from "@/core/played-here";
import type { Game, Hosted } from "@/games/game";
import { EnterCode } from "@/table/enter-code";
import { type Chosen, Options } from "@/table/options";
import { Searching } from "@/table/searching";
import { Start } from "@/table/start";
import { Juggling } from "@/table/tokens";
import { Invitations } from "./invitations";
import { InviteSomebody } from "./invite";
import { offeredIn } from "./offered";
import { useOpenTables } from "./open-tables";
import { useInvitations } from "./use-invitations";
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
  const invitations = useInvitations(key, play);
  const [chosen, setChosen] = useState<Chosen>({});
  const { seeking } = play.held;
  const wanted = Object.keys(chosen).length > 0 ? { options: chosen } : {};
  // Nothing can be asked for before there is a line to ask on.
  const disabled = play.status !== "open";
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
      disabled={disabled}
      calls={<Invitations {...invitations} />}
      options={<Options options={offeredIn(here?.options)} chosen={chosen} choose={setChosen} />}
      anyone={{
        begin: play.seek,
        note: here?.rated && "Games against people count for your rating.",
      }}
      friend={{ begin: () => play.say({ type: "open", game: key, ...wanted }) }}
      local={{ begin: () => play.say({ type: "open", game: key, local: true, ...wanted }) }}
      computer={{
        game: key,
        begin: (bot) => play.say({ type: "play_bot", game: key, bot, ...wanted }),
      }}
    >
      <InviteSomebody
        disabled={disabled}
        invite={({ uuid: id }) => play.say({ type: "invite", game: key, user: id, ...wanted })}
      />
      <EnterCode join={(code) => go(`/${code}`)} />
      {seeking && (
        <Searching {...seeking} picture={<Juggling sides={hosted.sides} />} close={play.stop} />
      )}
    </Start>
  );
}
