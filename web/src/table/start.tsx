// Before a game: anyone, a friend, the computer, two at this device, or a friend's code.
import { Bot, Swords, Ticket, Users, UsersRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import type { Game, Hosted } from "@/games/game";
import { StartPage } from "@/shell/start-page";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { capitalized } from "./names";
import { useOpenTables } from "./open-tables";
import { isCode } from "./place";
import { usePlayedHere } from "./played-here";
import { Searching } from "./searching";
import type { Play } from "./use-play";

interface StartProps {
  game: Game;
  hosted: Hosted;
  play: Play;
}

export function Start({ game, hosted, play }: StartProps) {
  const { key, title, Lid } = game;
  const open = useOpenTables(key)[0];
  const here = usePlayedHere(key);
  // Nothing can be asked for before there is a line to ask on.
  const disabled = play.status !== "open";
  return (
    <StartPage title={title} lid={<Lid />}>
      {open && (
        <Button asChild color="yellow" size="large">
          <Link href={`/game/${open.match}`}>
            {open.opponent === null ? "Back to your table" : `Resume against ${open.opponent}`}
          </Link>
        </Button>
      )}
      <div>
        <Button
          color="green"
          size="large"
          className="w-full"
          disabled={disabled}
          onClick={play.seek}
        >
          <Swords aria-hidden="true" />
          Play anyone
        </Button>
        <p className="mt-1 min-h-6 text-center text-base text-soft">
          {here?.rated && "Games against people count for your rating."}
        </p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        <Button
          color="blue"
          disabled={disabled}
          onClick={() => play.say({ type: "open", game: key })}
        >
          <UsersRound aria-hidden="true" />
          Play a friend
        </Button>
        <Button
          color="blue"
          disabled={disabled}
          onClick={() => play.say({ type: "open", game: key, local: true })}
        >
          <Users aria-hidden="true" />
          Two at this device
        </Button>
      </div>
      <Computer
        bots={here?.bots}
        disabled={disabled}
        choose={(bot) => play.say({ type: "play_bot", game: key, bot })}
      />
      <EnterCode />
      {play.held.seeking && (
        <Searching hosted={hosted} seeking={play.held.seeking} close={play.stop} />
      )}
    </StartPage>
  );
}

interface ComputerProps {
  /** Undefined: not known yet. */
  bots: readonly string[] | undefined;
  disabled: boolean;
  choose: (bot: string) => void;
}

function Computer({ bots, disabled, choose }: ComputerProps) {
  if (bots?.length === 0) return null;
  return (
    <fieldset className="well flex flex-col gap-2.5 p-3.5">
      <legend className="sr-only">Play the computer</legend>
      <p aria-hidden="true" className="flex items-center gap-2 text-base font-bold">
        <Bot className="size-5.5" /> Play the computer
      </p>
      <div className="grid min-h-14 grid-cols-[repeat(auto-fit,minmax(5.5rem,1fr))] gap-2.5">
        {bots?.map((bot) => (
          <Button key={bot} className="px-2!" disabled={disabled} onClick={() => choose(bot)}>
            {capitalized(bot)}
          </Button>
        ))}
      </div>
    </fieldset>
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
