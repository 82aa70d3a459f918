// The table by keyboard: Q calls, an arrow leads to what is to be done, and so does one's turn.
import { type RefObject, useLayoutEffect, useRef } from "react";
import { usePageKeys } from "@/table/use-page-keys";
import type { Choices } from "./room";

interface Places {
  board: RefObject<HTMLTableElement | null>;
  tray: RefObject<HTMLDivElement | null>;
  choices: Choices;
}

const stopOf = (place: HTMLElement | null): HTMLElement | null =>
  place?.querySelector<HTMLElement>('[tabindex="0"]') ?? null;

export function useTableKeys({ board, tray, choices, call }: Places & { call: () => void }): void {
  usePageKeys({
    onKey: (key) => key.toLowerCase() === "q" && call(),
    arrowsTo: () => stopOf(choices.pieces.length > 0 ? tray.current : board.current),
  });
}

/** Whoever plays by keyboard finds the focus where something is to be done: on the board, or in the tray. */
export function useGuidedFocus({ board, tray, choices }: Places): void {
  const task = choices.positions.length > 0 ? "place" : choices.pieces.length > 0 ? "select" : null;
  const before = useRef(task);
  // With what is seen: the next key may come at once.
  useLayoutEffect(() => {
    if (before.current === task) return;
    before.current = task;
    const focus = document.activeElement;
    const [here, there] = task === "place" ? [tray, board] : [board, tray];
    if (task !== null && here.current?.contains(focus)) stopOf(there.current)?.focus();
  }, [task, board, tray]);
}
