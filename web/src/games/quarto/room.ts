// A room as one of its sockets sees it: all that was heard so far, in one picture.
import { botName } from "@/table/names";
import { TRAY_ORDER } from "./traits";
import type { Game, Heard, Move, Player, Seat } from "./wire";

export interface Room {
  /** Null until the room has shown it. */
  game: Game | null;
  /** The secret of the own seat; null: a spectator. */
  playerId: string | null;
  /** Until when a line on the full board may be called. */
  finalCall: number | null;
  /** Until when each player who is away may return. */
  away: readonly [number | null, number | null];
  /** How the game was given up, if it was. */
  left: "forfeit" | "timeout" | null;
  /** Who would like another game. */
  rematch: readonly Seat[];
  /** Who is still there once it is over. */
  here: readonly [boolean, boolean];
  /** There is no such room, or not any more. */
  missing: boolean;
}

export const emptyRoom = (playerId: string | null): Room => ({
  game: null,
  playerId,
  finalCall: null,
  away: [null, null],
  left: null,
  rematch: [],
  here: [true, true],
  missing: false,
});

export function heard(room: Room, message: Heard): Room {
  switch (message.type) {
    case "ROOM_CREATED":
      return { ...room, playerId: message.playerId, missing: false };
    case "ROOM_JOINED":
      return { ...shown(room, message.game), playerId: message.playerId };
    case "PLAYER_JOINED":
    case "STATE_UPDATE":
    case "GAME_OVER":
      return shown(room, message.game);
    case "PLAYER_LEFT":
      return message.reason === "disconnect" ? room : { ...room, left: message.reason };
    case "REMATCH_REQUESTED":
      return { ...room, rematch: [...new Set([...room.rematch, seatAt(message.player)])] };
    case "REMATCH_WITHDRAWN":
      return { ...room, rematch: [] };
    case "PRESENCE":
      return { ...room, here: message.here };
    case "DEADLINES":
      return { ...room, finalCall: message.finalCall, away: message.away };
    case "ERROR":
      return message.code === "ROOM_NOT_FOUND" ? { ...room, missing: true, playerId: null } : room;
    default:
      return room;
  }
}

function shown(room: Room, game: Game): Room {
  const next = { ...room, game, missing: false };
  // Another game in the same room begins with a clean table.
  return room.game && room.game.id !== game.id
    ? { ...next, left: null, rematch: [], here: [true, true] }
    : next;
}

// --- a game, looked at ------------------------------------------------------------------------

/** Seats are counted from 0, and there are two. */
export const seatAt = (player: number): Seat => (player === 0 ? 0 : 1);
export const otherSeat = (player: number): Seat => (player === 0 ? 1 : 0);
export const isOver = (game: Game): boolean => game.status === "finished";
export const winnerOf = (game: Game): Seat | null =>
  typeof game.winner === "number" ? seatAt(game.winner) : null;

/** Where the owner of that secret sits; null: nowhere. */
export function seatOf(game: Game, playerId: string | null): Seat | null {
  const seat = game.players.findIndex((player) => player.id === playerId);
  return seat < 0 ? null : seatAt(seat);
}

/** Whether whoever sits there may act for that seat; at one device, for both. */
export function playsFor(game: Game, seat: Seat | null, other: number): boolean {
  return seat !== null && (seat === other || game.mode === "local");
}

export function nameOf(game: Game, seat: number): string {
  const player: Player | undefined = game.players[seat];
  if (!player) return "Nobody";
  return player.type === "ai" ? botName(player.name) : player.name;
}

/** What may be done now by the one whose turn it is, as the server has it. */
export interface Choices {
  pieces: readonly number[];
  positions: readonly number[];
  call: boolean;
}

export const choicesIn = (legal: readonly Move[]): Choices => ({
  pieces: legal.flatMap((move) => (move.type === "SELECT_PIECE" ? [move.pieceId] : [])),
  positions: legal.flatMap((move) => (move.type === "PLACE_PIECE" ? [move.position] : [])),
  call: legal.some(({ type }) => type === "CALL_QUARTO"),
});

export const NOTHING: Choices = { pieces: [], positions: [], call: false };

export function choicesOf(game: Game, seat: Seat | null): Choices {
  if (game.status !== "playing" || !playsFor(game, seat, game.currentTurn)) return NOTHING;
  const { board, availablePieces, phase } = game;
  return {
    pieces: phase === "selecting" ? availablePieces : [],
    positions:
      phase === "placing"
        ? board.positions.flatMap((piece, position) => (piece === null ? [position] : []))
        : [],
    call: true,
  };
}

/** What lies in the tray: neither placed nor in somebody's hand. */
export function trayOf(game: Game): ReadonlySet<number> {
  const left = game.availablePieces.filter((piece) => piece !== game.selectedPiece);
  return new Set(TRAY_ORDER.filter((piece) => left.includes(piece)));
}

/** The pieces of the line that won. */
export function winningPieces(game: Game): number[] {
  const line = game.winningLine ?? [];
  return line.flatMap((position) => game.board.positions[position] ?? []);
}
