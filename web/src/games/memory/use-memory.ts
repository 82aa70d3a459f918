// One conversation with the server about Memory: waiting, playing, coming back.
import { useReducer, useRef } from "react";
import { noteServerTime } from "@/core/clock";
import { useMe } from "@/core/me";
import { useLive } from "@/core/use-live";
import type { MemoryHeard, MemorySaid } from "@/core/wire";

type Heard<Type extends MemoryHeard["type"]> = Extract<MemoryHeard, { type: Type }>;

export type State = Heard<"game_state">;
export type Found = Heard<"match_found">;
export type Card = State["cards"][number];

export interface Ending {
  result: "win" | "lose" | "draw";
  you: number;
  opponent: number;
  /** The opponent left or stayed away. */
  alone: boolean;
}

export interface Spectacle {
  player: string;
  label: string;
  /** Tells one use from the next. */
  turn: number;
}

export interface Memory {
  stage: "arriving" | "waiting" | "playing" | "over" | "elsewhere" | "refused";
  botAt: number | null;
  found: Found | null;
  state: State | null;
  /** Until when the opponent may come back. */
  awayUntil: number | null;
  ending: Ending | null;
  spectacle: Spectacle | null;
  /** Why the last thing one did was not done; `turn` tells one from the next. */
  refusal: { message: string; turn: number } | null;
  timeouts: number;
}

const START: Memory = {
  stage: "arriving",
  botAt: null,
  found: null,
  state: null,
  awayUntil: null,
  ending: null,
  spectacle: null,
  refusal: null,
  timeouts: 0,
};

type Change = MemoryHeard | { type: "left"; code: number } | { type: "again" };

export function heard(now: Memory, message: Change): Memory {
  switch (message.type) {
    case "waiting_for_match":
      return { ...START, stage: "waiting", botAt: message.botAtUnixMs ?? null };
    case "match_found":
      return { ...START, stage: "playing", found: message };
    case "game_state":
      return { ...now, state: message };
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
      return { ...now, stage: "over", awayUntil: null, ending: alone(now) };
    case "game_over":
      return {
        ...now,
        stage: "over",
        ending: {
          result: message.result,
          you: message.you.score,
          opponent: message.opponent.score,
          alone: false,
        },
      };
    case "error":
      return {
        ...now,
        refusal: { message: message.message, turn: (now.refusal?.turn ?? 0) + 1 },
      };
    case "left":
      return { ...now, stage: message.code === 4409 ? "elsewhere" : "refused" };
    case "again":
      return { ...START };
    default:
      return now;
  }
}

function alone(now: Memory): Ending {
  const you = now.state?.you.score ?? 0;
  return { result: "win", you, opponent: now.state?.opponent.score ?? 0, alone: true };
}

const SEAT = "parlour.memory.seat";

interface Seat {
  gameId: string;
  rejoinToken: string;
}

function keptSeat(): Seat | null {
  try {
    return JSON.parse(sessionStorage.getItem(SEAT) ?? "null") as Seat | null;
  } catch {
    return null;
  }
}

/** The socket of the page that plays. It asks for its game first, and for an opponent if it has none. */
export function useMemory() {
  const me = useMe();
  const name = me?.username ?? "";
  const [memory, change] = useReducer(heard, START);
  // What the next refusal answers: a question about an old game, or something one did.
  const asking = useRef<"token" | "user" | null>(null);

  const { status, send } = useLive({
    path: me ? "/ws" : null,
    opened: (say) => {
      const seat = keptSeat();
      asking.current = seat ? "token" : "user";
      say(seat ? { type: "rejoin", ...seat, name } : { type: "rejoin_my_game" });
    },
    hear: (message) => listen(message as MemoryHeard),
    refused: (code) => change({ type: "left", code }),
  });
  const say = (message: MemorySaid) => send(message);

  function listen(message: MemoryHeard): void {
    if (message.type === "error" && asking.current === "token") {
      sessionStorage.removeItem(SEAT);
      asking.current = "user";
      say({ type: "rejoin_my_game" });
      return;
    }
    if (message.type === "error" && asking.current === "user") {
      asking.current = null;
      say({ type: "set_name", name });
      return;
    }
    asking.current = null;
    if (message.type === "match_found") {
      const { gameId, rejoinToken } = message;
      sessionStorage.setItem(SEAT, JSON.stringify({ gameId, rejoinToken }));
    }
    if (message.type === "game_over" || message.type === "opponent_disconnected") {
      sessionStorage.removeItem(SEAT);
    }
    if (message.type === "pong") {
      noteServerTime(new Date(message.serverTimeUnixMs).toISOString(), true);
    }
    change(message);
  }

  return {
    memory,
    status,
    name,
    flip: (index: number) => say({ type: "flip_card", index }),
    use: (powerUpId: string, cardIndex: number | null = null) =>
      say({ type: "use_power_up", powerUpId, cardIndex }),
    leaveQueue: () => say({ type: "leave_queue" }),
    leaveGame: () => {
      sessionStorage.removeItem(SEAT);
      return say({ type: "leave_game" });
    },
    again: () => {
      change({ type: "again" });
      return say({ type: "play_again" });
    },
  };
}
