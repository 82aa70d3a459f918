// Before a game: find someone, invite a friend, or take up an invitation.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Swords, Ticket, UsersRound } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link, useLocation } from "wouter";
import { sayError } from "@/core/words";
import { StartPage } from "@/shell/start-page";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { toast } from "@/ui/toast";
import { calls } from "./calls";
import { Connect4Lid } from "./lid";
import { Matchmaking } from "./matchmaking";
import { ACTIVE_GAME, useOpenGame } from "./open-game";

export function Start() {
  const open = useOpenGame();
  const [seeking, setSeeking] = useState(false);
  return (
    <StartPage title="Connect 4" lid={<Connect4Lid />}>
      {open ? (
        <>
          <p className="text-lg text-soft">
            You have a game open. Finish it before you start another one.
          </p>
          <Button asChild color="yellow" size="large">
            <Link href={`~${open.href}`}>Resume your game</Link>
          </Button>
        </>
      ) : (
        <>
          <Button color="green" size="large" onClick={() => setSeeking(true)}>
            <Swords aria-hidden="true" />
            Quick match
          </Button>
          <Invite />
          <EnterCode />
        </>
      )}
      {seeking && <Matchmaking close={() => setSeeking(false)} />}
    </StartPage>
  );
}

function Invite() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: calls.create,
    onSuccess: ({ publicId }) => go(`/game/${publicId}`),
    onError: (error) => toast(sayError(error), "bad"),
    onSettled: () => queries.invalidateQueries({ queryKey: ACTIVE_GAME }),
  });
  return (
    <Button color="blue" size="large" disabled={create.isPending} onClick={() => create.mutate()}>
      <UsersRound aria-hidden="true" />
      Play a friend
    </Button>
  );
}

function EnterCode() {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const [code, setCode] = useState("");
  const join = useMutation({
    mutationFn: calls.join,
    onSuccess: ({ publicId }) => go(`/game/${publicId}`),
    onSettled: () => queries.invalidateQueries({ queryKey: ACTIVE_GAME }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    join.mutate(code.trim());
  };
  return (
    <form onSubmit={submit} className="mt-2 flex flex-col gap-1">
      <Field
        label="Got a code?"
        placeholder="K7QF2M"
        value={code}
        onChange={(event) => {
          setCode(event.target.value.toUpperCase());
          join.reset();
        }}
        problem={join.error ? sayError(join.error) : null}
        maxLength={6}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="tracking-[0.22em]"
      />
      <Button type="submit" disabled={join.isPending || code.trim() === ""}>
        <Ticket aria-hidden="true" />
        Join your friend
      </Button>
    </form>
  );
}
