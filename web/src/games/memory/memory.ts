// What the page knows of its place at Memory, and how each message changes it.
import type { MemoryHeard } from "@/core/wire";
import type { Told } from "@/table/model";
import { symbolName } from "./symbols";

type Heard<Type extends MemoryHeard["type"]> = Extract<MemoryHeard, { type: Type }>;

export type State = Heard<"game_state">;
export type Found = Heard<"match_found">;
export type Card = State["cards"][number];

export interface Ending {
  result: "win" | "lose" | "draw";
  you: number;
  opponent: number;
  by: "pairs" | "leaving" | "absence";
}

/** What a state brought. */
export interface Turned extends Told {
  key: number;
  /** Cards were turned face up. */
  turned: boolean;
  paired: boolean;
}

export interface Spectacle {
  player: string;
  label: string;
  /** Tells one use from the next. */
  turn: number;
}

export interface TimeOut {
  mine: boolean;
  /** Tells one from the next. */
  turn: number;
}

export interface Memory {
  stage: "arriving" | "waiting" | "playing" | "over" | "missed" | "elsewhere" | "refused";
  botAt: number | null;
  found: Found | null;
  state: State | null;
  told: Turned | null;
  /** Until when the opponent may come back. */
  awayUntil: number | null;
  ending: Ending | null;
  /** The game that ended while nobody was here to see it. */
  missed: string | null;
  spectacle: Spectacle | null;
  /** Why the last thing one did was not done; `turn` tells one from the next. */
  refusal: { message: string; turn: number } | null;
  /** Whose time ran out last. */
  timeout: TimeOut | null;
}

export const START: Memory = {
  stage: "arriving",
  botAt: null,
  found: null,
  state: null,
  told: null,
  awayUntil: null,
  ending: null,
  missed: null,
  spectacle: null,
  refusal: null,
  timeout: null,
};

type Change =
  | MemoryHeard
  | { type: "left"; code: number }
  | { type: "missed"; gameId: string }
  | { type: "gave up" }
  | { type: "again" };

export function heard(now: Memory, message: Change): Memory {
  switch (message.type) {
    case "waiting_for_match":
      return { ...START, stage: "waiting", botAt: message.botAtUnixMs ?? null };
    case "match_found":
      return { ...START, stage: "playing", found: message };
    case "game_state":
      return {
        ...now,
        state: message,
        told: now.state && toldOf(now.state, message, now.told),
      };
    case "powerup_used":
      return {
        ...now,
        spectacle: {
          player: message.playerName,
          label: message.powerUpLabel,
          turn: (now.spectacle?.turn ?? 0) + 1,
        },
      };
    case "turn_timeout":
      // The state that gives the turn to the other follows.
      return {
        ...now,
        timeout: { mine: now.state?.yourTurn ?? false, turn: (now.timeout?.turn ?? 0) + 1 },
      };
    case "opponent_reconnecting":
      return { ...now, awayUntil: message.reconnectionDeadlineUnixMs };
    case "opponent_reconnected":
      return { ...now, awayUntil: null };
    case "opponent_disconnected":
      return { ...now, ...ended(now, "win") };
    case "gave up":
      // Unless it had just ended.
      return now.stage === "playing" ? { ...now, ...ended(now, "lose") } : now;
    case "game_over":
      return {
        ...now,
        stage: "over",
        awayUntil: null,
        ending: {
          result: message.result,
          you: message.you.score,
          opponent: message.opponent.score,
          by: "pairs",
        },
      };
    case "error":
      return {
        ...now,
        refusal: { message: message.message, turn: (now.refusal?.turn ?? 0) + 1 },
      };
    case "left":
      return { ...now, stage: message.code === 4409 ? "elsewhere" : "refused" };
    case "missed":
      return { ...START, stage: "missed", missed: message.gameId };
    case "again":
      return { ...START };
    default:
      return now;
  }
}

/** It was done by whoever's turn it was. */
function toldOf(old: State, now: State, last: Turned | null): Turned {
  const was = (card: Card) => old.cards[card.index]?.state;
  const turned = now.cards.filter((card) => card.state !== "hidden" && was(card) === "hidden");
  const paired = now.cards.some((card) => card.state === "matched" && was(card) !== "matched");
  const who = old.yourTurn ? "You" : now.opponent.name;
  const names = turned.flatMap(({ pairId }) => (pairId === undefined ? [] : [symbolName(pairId)]));
  const seen = [...names, ...(paired ? ["a pair"] : [])];
  return {
    key: (last?.key ?? 0) + 1,
    words: seen.length > 0 ? `${who}: ${seen.join(", ")}.` : "",
    by: old.yourTurn ? 0 : 1,
    turned: turned.length > 0,
    paired,
  };
}

/** Somebody left. Who gives up is told nothing: what they did is how it ended. */
function ended({ state }: Memory, result: Ending["result"]) {
  const ending: Ending = {
    result,
    you: state?.you.score ?? 0,
    opponent: state?.opponent.score ?? 0,
    by: "leaving",
  };
  return { stage: "over" as const, awayUntil: null, ending };
}

/** Power-ups are for the beginning of one's turn. */
export const mayUseAny = (state: State): boolean => state.yourTurn && state.phase === "first_flip";
