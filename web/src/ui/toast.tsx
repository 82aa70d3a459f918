// Short messages that come and go at the top of the page, over its header and over nothing else: one at a time.
import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { type PointerEvent, useEffect, useRef, useState } from "react";
import { Link } from "wouter";
import { createStore, useStore } from "@/core/store";

type Tone = "plain" | "good" | "bad";

interface Message {
  id: number;
  text: string;
  tone: Tone;
  way: Way | undefined;
}

/** Where it leads, with one click. */
interface Way {
  href: string;
  label: string;
  state?: unknown;
}

const SHOWN_MS = 5000;
/** What somebody may want to follow stays until they have seen it. */
const WITH_A_WAY_MS = 15_000;
/** So far up a finger takes it away. */
const SWIPED = 30;

const messages = createStore<readonly Message[]>([]);
let lastId = 0;

export function toast(text: string, tone: Tone = "plain", way?: Way): void {
  messages.set([{ id: ++lastId, text, tone, way }]);
}

function dismiss(id: number): void {
  messages.set(messages.get().filter((message) => message.id !== id));
}

const icons = { plain: Info, good: CircleCheck, bad: CircleAlert };
const colors = { plain: "plastic-ink", good: "plastic-green", bad: "plastic-yellow" };

export function Toasts() {
  return (
    <section
      aria-label="Messages"
      aria-live="polite"
      className="w-fit max-w-[min(30rem,calc(100vw-1.5rem))]"
    >
      <ol>
        {useStore(messages).map((message) => (
          <Toast key={message.id} {...message} />
        ))}
      </ol>
    </section>
  );
}

function Toast({ id, text, tone, way }: Message) {
  const Icon = icons[tone];
  // Whoever is at it may take their time.
  const [at, setAt] = useState(false);
  const from = useRef<number | null>(null);
  useEffect(() => {
    if (at) return;
    const timer = setTimeout(() => dismiss(id), way ? WITH_A_WAY_MS : SHOWN_MS);
    return () => clearTimeout(timer);
  }, [at, id, way]);
  return (
    <li
      onPointerEnter={() => setAt(true)}
      onPointerLeave={() => setAt(false)}
      onFocus={() => setAt(true)}
      onBlur={() => setAt(false)}
      onKeyDown={({ key }) => key === "Escape" && dismiss(id)}
      onPointerDown={({ clientY }: PointerEvent) => {
        from.current = clientY;
      }}
      onPointerMove={({ clientY }: PointerEvent) => {
        if (from.current !== null && from.current - clientY > SWIPED) dismiss(id);
      }}
      onPointerUp={() => {
        from.current = null;
      }}
      className={clsx(
        "plastic pointer-events-auto flex animate-pop-in touch-none items-center gap-3 px-4 py-2.5 text-base leading-tight font-bold max-sm:gap-2 max-sm:px-3 max-sm:py-2 max-sm:text-sm max-sm:leading-tight",
        colors[tone],
      )}
    >
      <Icon aria-hidden="true" className="size-5.5 shrink-0" />
      {/* What went wrong is said at once, the rest in its turn. */}
      <p role={tone === "bad" ? "alert" : undefined}>{text}</p>
      {way && (
        <Link
          href={way.href}
          state={way.state}
          onClick={() => dismiss(id)}
          className="text-display shrink-0 rounded-lg px-2 py-1.5 underline decoration-2 underline-offset-4"
        >
          {way.label}
        </Link>
      )}
    </li>
  );
}
