// A game of Quarto as the host tells of it, for the board.
import { placeName } from "./board";
import { pieceName, TRAY_ORDER } from "./traits";
import type { Game, Move } from "./wire";

/** What the server sends of a position to whoever may see it. */
interface Told {
  state: { board: (number | null)[]; turn: number; selected: number | null };
}

type Action =
  | { type: "select"; piece: number }
  | { type: "place"; position: number }
  | { type: "call" | "leave" };

/** Who plays is known from the game as it ended. */
export function viewOf(told: unknown, end: Game): Game {
  const { board, turn, selected } = (told as Told).state;
  return {
    ...end,
    status: "playing",
    board: { positions: board },
    availablePieces: TRAY_ORDER.filter((piece) => !board.includes(piece)),
    currentTurn: turn,
    phase: selected === null ? "selecting" : "placing",
    selectedPiece: selected,
    winner: null,
    winningLine: null,
    history: [],
  };
}

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

export function actionInWords(told: unknown): string {
  const action = told as Action;
  switch (action.type) {
    case "select":
      return `give ${pieceName(action.piece).toLowerCase()}`;
    case "place":
      return `place at ${placeName(action.position)}`;
    case "call":
      return "call Quarto";
    default:
      return "leave";
  }
}
