// What the page knows of its place at Memory, and how each message changes it.
import type { MemoryHeard } from "@/core/wire";

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

export interface Spectacle {
  player: string;
  label: string;
  /** Tells one use from the next. */
  turn: number;
}

export interface Memory {
  stage: "arriving" | "waiting" | "playing" | "over" | "missed" | "elsewhere" | "refused";
  botAt: number | null;
  found: Found | null;
  state: State | null;
  /** Until when the opponent may come back. */
  awayUntil: number | null;
  ending: Ending | null;
  /** The game that ended while nobody was here to see it. */
  missed: string | null;
  /** The power-up that waits for its card. */
  armed: string | null;
  spectacle: Spectacle | null;
  /** Why the last thing one did was not done; `turn` tells one from the next. */
  refusal: { message: string; turn: number } | null;
  timeouts: number;
}

export const START: Memory = {
  stage: "arriving",
  botAt: null,
  found: null,
  state: null,
  awayUntil: null,
  ending: null,
  missed: null,
  armed: null,
  spectacle: null,
  refusal: null,
  timeouts: 0,
};

type Change =
  | MemoryHeard
  | { type: "left"; code: number }
  | { type: "missed"; gameId: string }
  | { type: "arm"; id: string | null }
  | { type: "again" };

export function heard(now: Memory, message: Change): Memory {
  switch (message.type) {
    case "waiting_for_match":
      return { ...START, stage: "waiting", botAt: message.botAtUnixMs ?? null };
    case "match_found":
      return { ...START, stage: "playing", found: message };
    case "game_state":
      return { ...now, state: message, armed: usable(message, now.armed) };
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
      return { ...now, timeouts: now.timeouts + 1 };
    case "opponent_reconnecting":
      return { ...now, awayUntil: message.reconnectionDeadlineUnixMs };
    case "opponent_reconnected":
      return { ...now, awayUntil: null };
    case "opponent_disconnected":
      return { ...now, stage: "over", awayUntil: null, armed: null, ending: alone(now) };
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
    case "arm":
      return { ...now, armed: now.state && usable(now.state, message.id) };
    case "again":
      return { ...START };
    default:
      return now;
  }
}

function alone(now: Memory): Ending {
  const you = now.state?.you.score ?? 0;
  return { result: "win", you, opponent: now.state?.opponent.score ?? 0, by: "leaving" };
}

/** Power-ups are for the beginning of one's turn. */
export const mayUseAny = (state: State): boolean => state.yourTurn && state.phase === "first_flip";

/** That power-up, as long as it can be used: it lies ready for one turn only. */
function usable(state: State, id: string | null): string | null {
  const held = state.hand.some((each) => each.powerUpId === id);
  return held && mayUseAny(state) ? id : null;
}
