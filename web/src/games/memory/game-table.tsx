// The table while a game is played: cards, both players with their piles, the hand.
import { DoorOpen } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { announce } from "@/core/announce";
import { serverNow, useServerNow } from "@/core/clock";
import { useCalm } from "@/core/preferences";
import { play } from "@/core/sound";
import { useTitle } from "@/core/title";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Strip } from "@/ui/strip";
import { Table } from "@/ui/table";
import { toast } from "@/ui/toast";
import { Board, boardRatio } from "./board";
import { Countdown } from "./countdown";
import { Flights } from "./flights";
import { Hand } from "./hand";
import { powerUp, powerUps } from "./power-ups";
import { symbolName } from "./symbols";
import type { Found, Memory, State } from "./use-memory";

const SPECTACLE_MS = 1300;

interface GameTableProps {
  memory: Memory;
  found: Found;
  state: State;
  flip: (index: number) => void;
  use: (id: string, card?: number) => void;
  leave: () => void;
}

export function GameTable({ memory, found, state, flip, use, leave }: GameTableProps) {
  const over = memory.stage === "over";
  const myTurn = state.yourTurn && !over;
  const usable = myTurn && state.phase === "first_flip";
  const [armed, setArmed] = useState<string | null>(null);
  const aiming = usable && armed !== null;
  const spectacle = useSpectacle(memory);
  useTelling(memory, state);
  useTitle(over ? "Memory" : myTurn ? "Your turn" : `${state.opponent.name}'s turn`);
  useEscape(() => setArmed(null));

  const choose = (index: number) => {
    if (aiming && armed !== null) {
      use(armed, index);
      setArmed(null);
    } else {
      flip(index);
    }
  };
  const useOrArm = (id: string) => {
    if (!powerUp(id).targeted) use(id);
    else setArmed(armed === id ? null : id);
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
            aiming={aiming}
            spectacle={spectacle}
            onChoose={choose}
          />
        }
        opponent={<Side state={state} memory={memory} mine={false} over={over} />}
        you={<Side state={state} memory={memory} mine over={over} />}
        actions={
          <div className="flex flex-col gap-1 wide:gap-3">
            <p className="grid min-h-7 place-items-center text-center text-base text-balance text-soft wide:min-h-14 wide:text-lg">
              {hint(memory, state, armed)}
            </p>
            <div className="flex items-start justify-center gap-2.5 wide:flex-col wide:items-stretch wide:gap-4">
              <Hand hand={state.hand} usable={usable} armed={armed} onUse={useOrArm} />
              {!over && <Leave leave={leave} opponent={found.opponentName} />}
            </div>
          </div>
        }
      />
      <Flights cards={state.cards} />
    </>
  );
}

interface SideProps {
  state: State;
  memory: Memory;
  mine: boolean;
  over: boolean;
}

function Side({ state, memory, mine, over }: SideProps) {
  const player = mine ? state.you : state.opponent;
  const other = mine ? state.opponent : state.you;
  const active = over ? player.score > other.score : state.yourTurn === mine;
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
  if (over) return active ? "Winner" : "";
  if (!active) return mine ? "You" : "Opponent";
  return mine ? "Your turn" : "Thinking";
}

function hint(memory: Memory, state: State, armed: string | null): string {
  if (memory.stage === "over") return "";
  if (armed !== null) return `Pick a card for ${powerUp(armed).label}. Escape to keep it.`;
  if (!state.yourTurn) return "";
  if (state.phase === "resolve") return "No match. Remember them.";
  return state.phase === "second_flip" ? "And its twin?" : "Turn over a card.";
}

function Leave({ leave, opponent }: { leave: () => void; opponent: string }) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-label="Leave the game"
        onClick={() => setAsked(true)}
        className="mt-3 wide:mt-0 wide:self-start"
      >
        <DoorOpen aria-hidden="true" />
        <span className="max-wide:hidden">Leave the game</span>
      </Button>
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        title="Leave this game?"
        description={`${opponent} wins if you go.`}
      >
        <Button color="red" onClick={leave}>
          Leave
        </Button>
        <Button onClick={() => setAsked(false)}>Stay</Button>
      </Dialog>
    </>
  );
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
    const known = Object.values(powerUps).find((each) => each.label === spectacle.label);
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
