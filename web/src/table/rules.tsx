// The rules of a game, told in a few panels: each is a moment of a game, drawn by the game's own board.
import type { ComponentType, ReactNode } from "react";
import type { Seat } from "@/core/wire";
import type { BoardProps } from "./kit";

export interface Panel {
  title: string;
  words: string;
  picture: ReactNode;
}

/** A moment of a game, as a board is handed it. */
export interface Moment<View, Action> {
  title: string;
  words: string;
  view: View;
  /** What is marked as possible; nothing unless it is said. */
  legal?: readonly Action[];
  /** Who is to move, and looks. */
  turn?: Seat;
}

const nothing = () => undefined;

export function drawnBy<View, Action>(
  Board: ComponentType<BoardProps<View, Action>>,
  moments: readonly Moment<View, Action>[],
): readonly Panel[] {
  return moments.map(({ title, words, view, legal = [], turn = 0 }) => ({
    title,
    words,
    picture: (
      <Board view={view} legal={legal} seat={turn} turn={turn} act={nothing} chosen={null} />
    ),
  }));
}
