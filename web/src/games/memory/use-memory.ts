// One conversation with the server about Memory: waiting, playing, coming back.
import { useReducer, useRef } from "react";
import { noteServerTime } from "@/core/clock";
import { useMe } from "@/core/me";
import { useLive } from "@/core/use-live";
import type { MemoryHeard, MemorySaid } from "@/core/wire";
import { heard, START } from "./memory";
import { forgetSeat, keepSeat, keptSeat } from "./seat";

/** A question about a game to come back to. */
interface Question {
  by: "token" | "user";
  /** The game one had here. */
  gameId: string | null;
}

const ASK_AGAIN_MS = 2000;
/** There is no game to come back to; anything else says nothing about it. */
const NO_GAME = ["NO_ACTIVE_GAME", "GAME_NOT_FOUND", "INVALID_REJOIN_TOKEN"];

/** The socket of the page that plays. It asks for its game first, and for an opponent if it had none. */
export function useMemory() {
  const me = useMe();
  const name = me?.username ?? "";
  const userId = me?.id ?? "";
  const [memory, change] = useReducer(heard, START);
  // What the next refusal answers; null: something one did.
  const asked = useRef<Question | null>(null);

  const { send } = useLive({
    path: me ? "/ws" : null,
    opened: () => {
      asked.current = null;
      // Who looks at a result has not asked for another game.
      if (memory.stage !== "over" && memory.stage !== "missed") arrive();
    },
    hear: (message) => listen(message as MemoryHeard),
    refused: (code) => change({ type: "left", code }),
  });
  const say = (message: MemorySaid) => send(message);

  function arrive(): void {
    const seat = keptSeat(userId);
    asked.current = { by: seat ? "token" : "user", gameId: seat?.gameId ?? null };
    say(seat ? { type: "rejoin", ...seat, name } : { type: "rejoin_my_game" });
  }

  /** It was too much at once, or the server was busy with itself. */
  function askAgain(question: Question): void {
    asked.current = question;
    setTimeout(() => asked.current === question && arrive(), ASK_AGAIN_MS);
  }

  function noGame({ by, gameId }: Question): void {
    if (by === "token") {
      asked.current = { by: "user", gameId };
      say({ type: "rejoin_my_game" });
    } else if (gameId !== null) {
      forgetSeat(userId);
      change({ type: "missed", gameId });
    } else {
      say({ type: "set_name", name });
    }
  }

  function listen(message: MemoryHeard): void {
    if (message.type === "pong") {
      noteServerTime(new Date(message.serverTimeUnixMs).toISOString(), true);
      return;
    }
    const question = asked.current;
    asked.current = null;
    if (message.type === "error" && question !== null) {
      if (NO_GAME.includes(message.code)) noGame(question);
      else askAgain(question);
      return;
    }
    if (message.type === "match_found") keepSeat(userId, message);
    if (message.type === "game_over" || message.type === "opponent_disconnected") {
      forgetSeat(userId);
    }
    change(message);
  }

  return {
    memory,
    flip: (index: number) => say({ type: "flip_card", index }),
    arm: (id: string | null) => change({ type: "arm", id }),
    use: (powerUpId: string, cardIndex: number | null = null) =>
      say({ type: "use_power_up", powerUpId, cardIndex }),
    leaveQueue: () => say({ type: "leave_queue" }),
    leaveGame: () => {
      forgetSeat(userId);
      return say({ type: "leave_game" });
    },
    // As if one came anew: on a line that was cut in between, the server knows no last name.
    again: () => {
      change({ type: "again" });
      arrive();
    },
  };
}
