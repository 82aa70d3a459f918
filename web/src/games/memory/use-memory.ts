// One conversation with the server about Memory: waiting, playing, coming back.
import { useReducer, useRef } from "react";
import { noteServerTime } from "@/core/clock";
import { useMe } from "@/core/me";
import { useLive } from "@/core/use-live";
import type { MemoryHeard, MemorySaid } from "@/core/wire";
import { toast } from "@/ui/toast";
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
  // The game that follows the one just played.
  const following = useRef<string | null>(null);
  // One has said so, and is not answered yet.
  const leaving = useRef(false);

  const { send } = useLive({
    path: me ? "/ws" : null,
    opened: () => {
      asked.current = null;
      leaving.current = false;
      const looking = memory.stage === "over" || memory.stage === "missed";
      // Who looks at a result has not asked for another game.
      if (!looking || following.current !== null) arrive();
    },
    hear: (message) => listen(message as MemoryHeard),
    refused: (code) => change({ type: "left", code }),
  });
  const say = (message: MemorySaid) => send(message);

  function arrive(): void {
    const seat = keptSeat(userId);
    const gameId = seat?.gameId ?? following.current;
    asked.current = { by: seat ? "token" : "user", gameId };
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
      following.current = null;
      forgetSeat(userId);
      change({ type: "missed", gameId });
    } else {
      say({ type: "set_name", name });
    }
  }

  function hasLeft(): void {
    leaving.current = false;
    forgetSeat(userId);
    change({ type: "gave up" });
  }

  function listen(message: MemoryHeard): void {
    if (message.type === "pong") {
      noteServerTime(new Date(message.serverTimeUnixMs).toISOString(), true);
      if (leaving.current) hasLeft();
      return;
    }
    const question = asked.current;
    asked.current = null;
    if (message.type === "error" && question !== null) {
      if (NO_GAME.includes(message.code)) noGame(question);
      else askAgain(question);
      return;
    }
    if (message.type === "match_found") {
      following.current = null;
      keepSeat(userId, message);
    }
    if (message.type === "game_over" || message.type === "opponent_disconnected") {
      forgetSeat(userId);
    }
    change(message);
  }

  return {
    memory,
    flip: (index: number) => say({ type: "flip_card", index }),
    use: (powerUpId: string, cardIndex: number | null = null) =>
      say({ type: "use_power_up", powerUpId, cardIndex }),
    leaveQueue: () => say({ type: "leave_queue" }),
    leaveGame: () => {
      // Who leaves is told nothing; but what is said is done in turn.
      leaving.current = say({ type: "leave_game" }) && say({ type: "ping" });
      if (!leaving.current) toast("The line is down. We are reconnecting.", "bad");
    },
    // As if one came anew: on a line that was cut in between, the server knows no last name.
    again: () => {
      change({ type: "again" });
      arrive();
    },
    /** The next game has begun at the host; what is to be seen stays until its cards are there. */
    follow: (gameId: string) => {
      if (following.current === gameId) return;
      following.current = gameId;
      arrive();
    },
  };
}
