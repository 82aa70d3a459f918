// A printed label beside something that shows only an icon. The icon still needs a name of its own.
import { Root as Slot } from "radix-ui/slot";
import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

const DELAY_MS = 400;
const GAP = 9;
const EDGE = 8;

interface TooltipProps {
  /** Null: nothing to say now. */
  text: string | null;
  children: ReactNode;
}

export function Tooltip({ text, children }: TooltipProps) {
  return <Slot {...(text !== null && { "data-tip": text })}>{children}</Slot>;
}

const tipped = ({ target }: Event): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;

/** The one label of the page: stands once at its end, and goes wherever the mouse rests or the focus is. */
export function Tip() {
  const [of, setOf] = useState<HTMLElement | null>(null);
  useEffect(() => {
    const over = new AbortController();
    let next: HTMLElement | null = null;
    let timer: ReturnType<typeof setTimeout>;
    const go = (to: HTMLElement | null, afterMs: number) => {
      if (to === next) return;
      next = to;
      clearTimeout(timer);
      setOf(null);
      if (to) timer = setTimeout(() => setOf(to), afterMs);
    };
    const hear = <K extends keyof DocumentEventMap>(
      name: K,
      then: (event: DocumentEventMap[K]) => void,
    ) => document.addEventListener(name, then, { signal: over.signal, capture: true });
    // A finger rests nowhere, and leaves the focus where it touched, but no wish to read.
    hear("pointerover", (event) => event.pointerType === "mouse" && go(tipped(event), DELAY_MS));
    hear("focusin", (event) => {
      const found = tipped(event);
      if (found?.matches(":focus-visible")) go(found, 0);
    });
    hear("focusout", () => go(null, 0));
    hear("scroll", () => go(null, 0));
    hear("pointerdown", () => setOf(null));
    hear("keydown", ({ key }) => key === "Escape" && setOf(null));
    return () => {
      over.abort();
      clearTimeout(timer);
    };
  }, []);
  // Inside of a landmark, where whoever jumps from one to the next finds it.
  return of && createPortal(<Label of={of} />, document.querySelector("main") ?? document.body);
}

function Label({ of }: { of: HTMLElement }) {
  const card = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const { current: label } = card;
    if (label === null) return;
    const at = of.getBoundingClientRect();
    const { width, height } = label.getBoundingClientRect();
    const left = at.left + (at.width - width) / 2;
    const above = at.top - GAP - height;
    label.style.left = `${Math.max(EDGE, Math.min(left, innerWidth - EDGE - width))}px`;
    label.style.top = `${above < EDGE ? at.bottom + GAP : above}px`;
    of.setAttribute("aria-describedby", id);
    return () => of.removeAttribute("aria-describedby");
  }, [of, id]);
  return (
    <div
      ref={card}
      id={id}
      role="tooltip"
      className="plastic plastic-ink pointer-events-none fixed z-60 animate-fade-in rounded-xl px-3 py-1.5 text-sm font-bold"
    >
      {of.dataset.tip}
    </div>
  );
}
