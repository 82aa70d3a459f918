// A room for as long as its page is open: comes in, returns to its seat after every cut, says what is done.
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { noteServerTime } from "@/core/clock";
import type { LiveStatus } from "@/core/live";
import { useLive } from "@/core/use-live";
import { toast } from "@/ui/toast";
import { type Entrance, enterBy, entered, entranceOf } from "./entrance";
import { emptyRoom, heard, isOver, type Room, seatOf } from "./room";
import { closeRoom, forgetSeat, keepSeat, keptSeat } from "./seats";
import { type Heard, newCode, ROOM_HOST, roomPath, type Said, type Seat } from "./wire";

/** The server's close code for a socket whose seat another one has taken. */
const REPLACED = 4409;

const words: Record<string, string> = {
  NO_QUARTO: "No line of four shares a trait. Play on.",
  ROOM_FULL: "Both seats are taken. You are watching.",
  UNAUTHORIZED: "Your session has ended, so this game counts for nobody.",
};

export interface HeldRoom {
  room: Room;
  /** Null: a spectator. */
  seat: Seat | null;
  status: LiveStatus;
  /** What was said and is not answered yet. */
  pending: Said | null;
  /** The seat was taken over by another window. */
  elsewhere: boolean;
  takeBack: () => void;
  join: (name: string) => void;
  say: (said: Said) => void;
  /** Close a room in which nobody else sits yet. */
  cancel: () => void;
}

export function useRoom(code: string): HeldRoom {
  const [, go] = useLocation();
  const [room, setRoom] = useState(() => emptyRoom(keptSeat(code)));
  const [pending, setPending] = useState<Said | null>(null);
  const [elsewhere, setElsewhere] = useState(false);
  const newest = useRef(room);

  const live = useLive({
    path: elsewhere ? null : roomPath(code),
    host: ROOM_HOST,
    opened: (send) => {
      setPending(null);
      for (const said of greeting(code)) send(said);
    },
    hear: (message) => hear(message as Heard),
    refused: (closed) => setElsewhere(closed === REPLACED),
  });

  const hear = (message: Heard) => {
    const next = heard(newest.current, message);
    newest.current = next;
    setRoom(next);
    if (message.type === "DEADLINES") noteServerTime(new Date(message.now).toISOString(), true);
    if (message.type === "ROOM_CREATED" || message.type === "ROOM_JOINED") {
      entered(code);
      keepSeat(code, message.playerId);
    }
    if (message.type === "STATE_UPDATE" || message.type === "ERROR") setPending(null);
    if (message.type === "ERROR") refusal(message);
  };

  const refusal = ({ code: reason, message }: { code: string; message: string }) => {
    if (reason === "ROOM_NOT_FOUND") return forgetSeat(code);
    const entrance = entranceOf(code);
    entered(code);
    if (reason === "ROOM_FULL" && entrance?.how === "create") {
      // Somebody had the same idea, or an answer was lost: the next room will do.
      const next = newCode();
      enterBy(next, entrance);
      return go(`/${next}`, { replace: true });
    }
    toast(words[reason] ?? message, reason === "NO_QUARTO" ? "plain" : "bad");
  };

  const over = room.game !== null && isOver(room.game);
  useEffect(() => {
    if (over) closeRoom(code);
  }, [over, code]);

  const say = (said: Said) => {
    if (live.send(said)) setPending(said);
    else toast("The line is down. We are reconnecting.", "bad");
  };

  return {
    room,
    seat: room.game ? seatOf(room.game, room.playerId) : null,
    status: live.status,
    pending,
    elsewhere,
    takeBack: () => setElsewhere(false),
    join: (name) => {
      enterBy(code, { how: "join", name });
      say({ type: "JOIN_ROOM", playerName: name });
    },
    say,
    cancel: () => {
      live.send({ type: "LEAVE_ROOM" } satisfies Said);
      forgetSeat(code);
      go("/", { replace: true });
    },
  };
}

/** The first words on a socket: take the seat, or the old one again; then look. */
function greeting(code: string): Said[] {
  const seat = keptSeat(code);
  const entrance: Entrance | undefined = entranceOf(code);
  const first: Said[] = [];
  if (seat !== null) first.push({ type: "RECONNECT", playerId: seat });
  else if (entrance?.how === "create") {
    const { name, opponent } = entrance;
    first.push({ type: "CREATE_ROOM", playerName: name, opponent });
  } else if (entrance?.how === "join") first.push({ type: "JOIN_ROOM", playerName: entrance.name });
  return [...first, { type: "WATCH" }];
}
