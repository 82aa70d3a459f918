// The rules of Quarto, in four moments of a game.
import type { BoardProps } from "@/table/kit";
import { drawnBy } from "@/table/rules";
import { Board } from "./board";
import { Carrying } from "./carry";
import { PiecePaints } from "./piece";
import "./quarto.css";
import type { Game, Move } from "./wire";

function Standing(props: BoardProps<Game, Move>) {
  return (
    <Carrying>
      <PiecePaints />
      <Board {...props} />
    </Carrying>
  );
}

/** Which piece stands where, and what else is to be seen. */
function after(pieces: Record<number, number>, more: Partial<Game> = {}): Game {
  const positions = Array.from({ length: 16 }, (_, position) => pieces[position] ?? null);
  return {
    id: "rules",
    mode: "local",
    status: "playing",
    players: [],
    board: { positions },
    availablePieces: [],
    currentTurn: 0,
    phase: "placing",
    selectedPiece: null,
    winner: null,
    winningLine: null,
    history: [],
    createdAt: 0,
    updatedAt: 0,
    ...more,
  };
}

const free = (...positions: number[]): Move[] =>
  positions.map((position) => ({ type: "PLACE_PIECE", position }));

// A piece's number is its traits: 1 dark, 2 square, 4 hollow, 8 tall.
export default drawnBy(Standing, [
  {
    title: "Four traits",
    words:
      "Each of the sixteen pieces is tall or short, dark or light, round or square, hollow or solid.",
    view: after({ 5: 15, 6: 0, 9: 10, 10: 5 }),
  },
  {
    title: "You choose, they place",
    words: "The piece you place is chosen for you. Then you choose one that your opponent places.",
    view: after({ 5: 15, 6: 0, 9: 10, 10: 5 }, { selectedPiece: 9 }),
    legal: free(0, 1, 2, 3, 4, 7, 8, 11, 12, 13, 14, 15),
  },
  {
    title: "Call Quarto!",
    words:
      "Four in a line that share one trait, here all tall, win. But only if you call it: on your turn, with the yellow button.",
    view: after(
      { 4: 9, 5: 15, 6: 12, 7: 10, 9: 2, 10: 5, 2: 0 },
      { winningLine: [4, 5, 6, 7], status: "finished" },
    ),
  },
  {
    title: "Seen too late?",
    words:
      "A line that nobody called, like these four dark ones, stays: either can call it on a later turn. A wrong call costs nothing.",
    view: after({ 0: 1, 5: 15, 10: 5, 15: 11, 6: 0, 9: 10 }),
  },
]);
