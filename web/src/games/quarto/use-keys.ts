// The table by keyboard: Q calls, an arrow leads to what is to be done, and so does one's turn.
import { type RefObject, useEffect, useRef } from "react";
import type { Choices } from "./room";

interface Places {
  board: RefObject<HTMLTableElement | null>;
  tray: RefObject<HTMLDivElement | null>;
  choices: Choices;
}

const stopOf = (place: HTMLElement | null): HTMLElement | null =>
  place?.querySelector<HTMLElement>('[tabindex="0"]') ?? null;

export function useTableKeys({ board, tray, choices, call }: Places & { call: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, textarea, select, [role=dialog], [role=menu]")) return;
      if (event.key === "q" || event.key === "Q") call();
      else if (event.key.startsWith("Arrow") && target === document.body) {
        const place = choices.pieces.length > 0 ? tray.current : board.current;
        stopOf(place)?.focus();
        event.preventDefault();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

/** Whoever plays by keyboard finds the focus where something is to be done: on the board, or in the tray. */
export function useGuidedFocus({ board, tray, choices }: Places): void {
  const task = choices.positions.length > 0 ? "place" : choices.pieces.length > 0 ? "select" : null;
  const before = useRef(task);
  useEffect(() => {
    if (before.current === task) return;
    before.current = task;
    const focus = document.activeElement;
    const [here, there] = task === "place" ? [tray, board] : [board, tray];
    if (task !== null && here.current?.contains(focus)) stopOf(there.current)?.focus();
  }, [task, board, tray]);
}
