// Before a game: invite a friend, take up an invitation, sit beside each other, or play the computer.
import { Bot, Ticket, Users, UsersRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { StartPage } from "@/shell/start-page";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { openRoom } from "./entrance";
import { QuartoLid } from "./lid";
import { NameField, usePlayName } from "./name-field";
import { useOpenGame } from "./seats";
import { isCode, type Opponent } from "./wire";

const LEVELS = [
  { opponent: "easy", label: "Easy" },
  { opponent: "medium", label: "Medium" },
  { opponent: "hard", label: "Hard" },
] as const;

export function Start() {
  const [, go] = useLocation();
  const name = usePlayName();
  const open = useOpenGame();
  const sit = (opponent: Opponent | null) => go(`/${openRoom(name, opponent)}`);
  return (
    <StartPage title="Quarto" lid={<QuartoLid />}>
      {open && (
        <Button asChild color="yellow" size="large">
          <Link href={`~${open.href}`}>Resume your game</Link>
        </Button>
      )}
      <NameField />
      <Button color="green" size="large" onClick={() => sit(null)}>
        <UsersRound aria-hidden="true" />
        Play a friend
      </Button>
      <Button color="blue" onClick={() => sit("local")}>
        <Users aria-hidden="true" />
        Two at this device
      </Button>
      <fieldset className="well flex flex-col gap-2.5 p-3.5">
        <legend className="sr-only">Play the computer</legend>
        <p aria-hidden="true" className="flex items-center gap-2 text-base font-bold">
          <Bot className="size-5.5" /> Play the computer
        </p>
        <div className="grid grid-cols-3 gap-2.5">
          {LEVELS.map(({ opponent, label }) => (
            <Button key={opponent} className="px-2!" onClick={() => sit(opponent)}>
              {label}
            </Button>
          ))}
        </div>
      </fieldset>
      <EnterCode />
    </StartPage>
  );
}

function EnterCode() {
  const [, go] = useLocation();
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isCode(code.trim())) go(`/${code.trim()}`);
    else setWrong(true);
  };
  return (
    <form onSubmit={submit} className="grid grid-cols-[1fr_auto] items-end gap-x-3">
      <Field
        label="Got a code?"
        placeholder="K7QF2M"
        value={code}
        onChange={(event) => {
          setCode(event.target.value.toUpperCase());
          setWrong(false);
        }}
        problem={wrong ? "A code has six letters or digits, like K7QF2M." : null}
        maxLength={6}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="tracking-[0.22em]"
      />
      <Button type="submit" className="mb-8" disabled={code.trim() === ""}>
        <Ticket aria-hidden="true" />
        Join
      </Button>
    </form>
  );
}
