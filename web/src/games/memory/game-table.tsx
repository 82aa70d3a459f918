// The table while a game is played and after: cards, both players with their piles, what one can do.
import { useEffect, useRef, useState } from "react";
import { announce } from "@/core/announce";
import { serverNow, useServerNow } from "@/core/clock";
import { useCalm } from "@/core/preferences";
import { play } from "@/core/sound";
import { useTitle } from "@/core/title";
import { Avatar } from "@/ui/avatar";
import { Strip } from "@/ui/strip";
import { Table } from "@/ui/table";
import { toast } from "@/ui/toast";
import { Ended, Playing } from "./actions";
import { Board, boardRatio } from "./board";
import { Countdown } from "./countdown";
import { resultTitle } from "./ending";
import { Flights } from "./flights";
import type { Found, Memory, State } from "./memory";
import { powerUp, powerUps } from "./power-ups";
import { symbolName } from "./symbols";

const SPECTACLE_MS = 1300;

interface GameTableProps {
  memory: Memory;
  found: Found;
  state: State;
  flip: (index: number) => void;
  arm: (id: string | null) => void;
  use: (id: string, card?: number) => void;
  leave: () => void;
  again: () => void;
}

export function GameTable(props: GameTableProps) {
  const { memory, found, state, flip, arm, use, leave, again } = props;
  const { armed, ending } = memory;
  const myTurn = state.yourTurn && ending === null;
  const spectacle = useSpectacle(memory);
  useTelling(memory, state);
  useTitle(tabTitle(memory, state));
  useEscape(() => arm(null));

  const choose = (index: number) => {
    if (armed === null) return flip(index);
    use(armed, index);
    arm(null);
  };
  const useOrArm = (id: string) => {
    if (!powerUp(id).targeted) use(id);
    else arm(armed === id ? null : id);
  };

  return (
    <>
      <Table
        name={`Memory: you against ${found.opponentName}`}
        ratio={boardRatio(found.boardRows, found.boardCols)}
        board={
          <Board
            rows={found.boardRows}
            cols={found.boardCols}
            cards={state.cards}
            highlighted={state.highlightIndices ?? []}
            choosing={myTurn && state.phase !== "resolve"}
            aiming={armed !== null}
            spectacle={spectacle}
            onChoose={choose}
          />
        }
        opponent={<Side state={state} memory={memory} mine={false} />}
        you={<Side state={state} memory={memory} mine />}
        actions={
          ending ? (
            <Ended ending={ending} found={found} again={again} />
          ) : (
            <Playing
              state={state}
              armed={armed}
              onUse={useOrArm}
              leave={leave}
              opponent={found.opponentName}
            />
          )
        }
      />
      <Flights cards={state.cards} />
    </>
  );
}

function tabTitle({ ending }: Memory, state: State): string {
  if (ending) return resultTitle(ending);
  return state.yourTurn ? "Your turn" : `${state.opponent.name}'s turn`;
}

interface SideProps {
  state: State;
  memory: Memory;
  mine: boolean;
}

function Side({ state, memory, mine }: SideProps) {
  const player = mine ? state.you : state.opponent;
  const { ending } = memory;
  const over = ending !== null;
  const won = ending?.result === (mine ? "win" : "lose");
  const active = over ? won : state.yourTurn === mine;
  const away = !mine && memory.awayUntil !== null;
  useServerNow(1000, away);
  return (
    <Strip
      token={<Avatar name={player.name} className="" />}
      name={player.name}
      color={mine ? "green" : "blue"}
      active={active}
      presence={mine || over ? undefined : away ? "away" : "here"}
      status={status(memory, active, mine, over)}
    >
      {active && !over && (
        <Countdown endsAt={state.turnEndsAtUnixMs} showSec={state.turnCountdownShowSec} />
      )}
      <span
        data-pile={mine ? "you" : "opponent"}
        className="text-display grid min-w-14 place-items-center text-4xl leading-none tabular wide:text-5xl"
      >
        <span className="sr-only">{player.score === 1 ? "1 pair" : `${player.score} pairs`}</span>
        <span aria-hidden="true">{player.score}</span>
      </span>
    </Strip>
  );
}

function status(memory: Memory, active: boolean, mine: boolean, over: boolean): string {
  if (!mine && memory.awayUntil !== null) {
    const seconds = Math.max(0, Math.ceil((memory.awayUntil - serverNow()) / 1000));
    return `Lost the connection, ${seconds} s to return`;
  }
  if (over && active) return "Winner";
  if (over || !active) return mine ? "You" : "Opponent";
  return mine ? "Your turn" : "Thinking";
}

/** A power-up that moves the whole table does so for a moment. */
function useSpectacle(memory: Memory): string | null {
  const calm = useCalm();
  const [shown, setShown] = useState<string | null>(null);
  const { spectacle } = memory;
  useEffect(() => {
    if (spectacle === null) return;
    toast(`${spectacle.player} used ${spectacle.label}.`);
    if (calm) return;
    const known = powerUps.find((each) => each.label === spectacle.label);
    setShown(known?.id ?? null);
    play("flip", { loudness: 1.2 });
    const timer = setTimeout(() => setShown(null), SPECTACLE_MS);
    return () => clearTimeout(timer);
  }, [spectacle, calm]);
  return shown;
}

/** Says and sounds what happened: cards turned, pairs found, turns passed. */
function useTelling(memory: Memory, state: State): void {
  const before = useRef(state);
  useEffect(() => {
    const old = before.current;
    before.current = state;
    if (old === state) return;
    const turned = state.cards.filter(
      (card) => card.state !== "hidden" && old.cards[card.index]?.state === "hidden",
    );
    const paired = state.cards.filter(
      (card) => card.state === "matched" && old.cards[card.index]?.state !== "matched",
    );
    if (turned.length > 0) play("flip");
    const names = turned.map((card) => (card.pairId === undefined ? "" : symbolName(card.pairId)));
    if (paired.length > 0) {
      const who = paired[0]?.matchedBy === "you" ? "You" : state.opponent.name;
      announce(`${names.join(", ")}. ${who} found a pair.`);
      play("chime", { delayMs: 250, loudness: 0.7 });
    } else if (names.length > 0) {
      announce(names.join(", "));
    }
    if (state.yourTurn && !old.yourTurn) {
      announce("Your turn.");
      play("chime");
    }
  }, [state]);

  const { refusal, timeouts, awayUntil } = memory;
  useEffect(() => {
    if (refusal) toast(refusal.message, "bad");
  }, [refusal]);
  useEffect(() => {
    if (timeouts > 0) toast("Time is up. The turn passes.");
  }, [timeouts]);
  const wasAway = useRef(awayUntil !== null);
  useEffect(() => {
    const away = awayUntil !== null;
    if (away !== wasAway.current) {
      announce(away ? "Your opponent lost the connection." : "Your opponent is back.");
    }
    wasAway.current = away;
  }, [awayUntil]);
}

function useEscape(escaped: () => void): void {
  const latest = useRef(escaped);
  latest.current = escaped;
  useEffect(() => {
    const hear = (event: KeyboardEvent) => event.key === "Escape" && latest.current();
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  }, []);
}
