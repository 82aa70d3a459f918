// Before a game: invite a friend, take up an invitation, sit beside each other, or play the computer.
import { useLocation } from "wouter";
import { useStore } from "@/core/store";
import { useComputer } from "@/host/use-computer";
import type { Play } from "@/host/use-play";
import { EnterCode } from "@/table/enter-code";
import { Start } from "@/table/start";
import { chosenName, openRoom } from "./entrance";
import { QuartoLid } from "./lid";
import { NameField, usePlayName } from "./name-field";
import { useOpenGame } from "./seats";

export function QuartoStart({ play }: { play: Play }) {
  const [, go] = useLocation();
  const name = usePlayName();
  const begin = async (opponent: "local" | null) => go(`/${openRoom(await name(), opponent)}`);
  const open = useOpenGame();
  const computer = useComputer("quarto", play, useStore(chosenName));
  return (
    <Start
      title="Quarto"
      lid={<QuartoLid />}
      resume={open && { href: `~${open.href}`, label: "Resume your game" }}
      terms={<NameField />}
      friend={{ begin: () => void begin(null) }}
      local={{ begin: () => void begin("local") }}
      computer={computer}
    >
      <EnterCode join={(code) => go(`/${code}`)} />
    </Start>
  );
}
