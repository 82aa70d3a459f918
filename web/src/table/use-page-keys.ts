// Keys that mean something from anywhere on the page, but not where one writes or chooses.
import { useLayoutEffect } from "react";

const TAKEN = "input, textarea, select, [role=dialog], [role=menu]";

interface PageKeys {
  onKey: (key: string) => void;
  /** Where an arrow leads while nothing has the focus. */
  arrowsTo: () => HTMLElement | null | undefined;
}

export function usePageKeys({ onKey, arrowsTo }: PageKeys): void {
  // With what is seen, not a moment later: a key may come as soon as the page says whose turn it is.
  useLayoutEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest(TAKEN)) return;
      if (event.key.startsWith("Arrow") && target === document.body) {
        arrowsTo()?.focus();
        event.preventDefault();
      } else onKey(event.key);
    };
    window.addEventListener("keydown", hear);
    return () => window.removeEventListener("keydown", hear);
  });
}
