// How a game lies on the table: wide, the board with a panel to its right; on a phone, strip, board,
// strip, actions. The board is as large as the screen allows.
import type { CSSProperties, ReactNode } from "react";

interface TableProps {
  /** What is played here and by whom, for those who hear the page. */
  name: string;
  /** Width of the board divided by its height. */
  ratio: number;
  board: ReactNode;
  opponent: ReactNode;
  you: ReactNode;
  /** Between the strips, or at the thumb on a phone. */
  actions: ReactNode;
}

export function Table({ name, ratio, board, opponent, you, actions }: TableProps) {
  return (
    <main className="table-top" style={{ "--ratio": ratio } as CSSProperties}>
      <h1 className="sr-only">{name}</h1>
      <div className="table-opponent">{opponent}</div>
      <div className="table-board">{board}</div>
      <div className="table-you">{you}</div>
      <div className="table-actions">{actions}</div>
    </main>
  );
}
