// A game of Quarto as the host tells of it, for board, tray and hands.
import type { PlayTable } from "@/core/wire";
import { placeName } from "./board";
import { seatAt } from "./room";
import { TRAY_ORDER, traitsInWords } from "./traits";
import type { Game, HistoryEntry, Move } from "./wire";

/** What the server sends of a position to whoever may see it. */
interface Told {
  state: {
    board: (number | null)[];
    turn: number;
    selected: number | null;
    line: Game["winningLine"];
    history: [HistoryEntry["type"], number, number | null, number | null, number][];
    final_call_until: number | null;
  };
}

export type Action =
  | { type: "select"; piece: number }
  | { type: "place"; position: number }
  | { type: "call" | "leave" };

/** How it stands; who plays, and how it ended, is not said with it. */
function standing(told: unknown) {
  const { board, turn, selected } = (told as Told).state;
  return {
    board: { positions: board },
    availablePieces: TRAY_ORDER.filter((piece) => !board.includes(piece)),
    currentTurn: turn,
    phase: selected === null ? ("selecting" as const) : ("placing" as const),
    selectedPiece: selected,
  };
}

export function gameAt({ match, mode, status, players, result, view, now }: PlayTable): Game {
  const over = status !== "active";
  return {
    ...standing(view),
    id: match,
    mode,
    status: over ? "finished" : "playing",
    players: players.map(({ name, bot }, seat) => ({
      id: String(seat),
      type: bot === null ? "human-remote" : "ai",
      name,
    })),
    winner: over ? (result?.winner ?? "draw") : null,
    winningLine: result?.reason === "quarto" ? (view as Told).state.line : null,
    history: historyIn(view),
    createdAt: now,
    updatedAt: now,
  };
}

export const historyIn = (told: unknown): HistoryEntry[] =>
  (told as Told).state.history.map(([type, player, piece, position, timestamp]) => ({
    type,
    player: seatAt(player),
    timestamp,
    ...(piece !== null && { pieceId: piece }),
    ...(position !== null && { position }),
  }));

export const finalCallAt = (told: unknown): number | null => (told as Told).state.final_call_until;

/** A position of a finished game; who played is known from how it ended. */
export const viewOf = (told: unknown, end: Game): Game => ({
  ...end,
  ...standing(told),
  status: "playing",
  winner: null,
  winningLine: null,
  history: [],
});

export function moveIn(told: unknown): Move | null {
  const action = told as Action;
  switch (action.type) {
    case "select":
      return { type: "SELECT_PIECE", pieceId: action.piece };
    case "place":
      return { type: "PLACE_PIECE", position: action.position };
    case "call":
      return { type: "CALL_QUARTO" };
    default:
      return null;
  }
}

export function actionOf(move: Move): Action {
  switch (move.type) {
    case "SELECT_PIECE":
      return { type: "select", piece: move.pieceId };
    case "PLACE_PIECE":
      return { type: "place", position: move.position };
    case "CALL_QUARTO":
      return { type: "call" };
  }
}

export function actionInWords(told: unknown): string {
  const action = told as Action;
  switch (action.type) {
    case "select":
      return `the ${traitsInWords(action.piece)} piece`;
    case "place":
      return placeName(action.position);
    case "call":
      return "calling Quarto";
    default:
      return "giving up";
  }
}
