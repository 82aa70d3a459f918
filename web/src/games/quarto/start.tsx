// Before a game: invite a friend, take up an invitation, sit beside each other, or play the computer.
import { useLocation } from "wouter";
import { EnterCode } from "@/table/enter-code";
import { Start } from "@/table/start";
import { openRoom } from "./entrance";
import { QuartoLid } from "./lid";
import { NameField, usePlayName } from "./name-field";
import { useOpenGame } from "./seats";
import type { Opponent } from "./wire";

export function QuartoStart() {
  const [, go] = useLocation();
  const name = usePlayName();
  const open = useOpenGame();
  const sit = (opponent: Opponent | null) => go(`/${openRoom(name, opponent)}`);
  return (
    <Start
      title="Quarto"
      lid={<QuartoLid />}
      resume={open && { href: `~${open.href}`, label: "Resume your game" }}
      terms={<NameField />}
      friend={{ begin: () => sit(null) }}
      local={{ begin: () => sit("local") }}
      computer={{ game: "quarto", begin: sit }}
    >
      <EnterCode join={(code) => go(`/${code}`)} />
    </Start>
  );
}
