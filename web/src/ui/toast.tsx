// Short messages that come and go at the top of the page, over its header and over nothing else: one at a time.
import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { Toast as Radix } from "radix-ui";
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
    <Radix.Provider duration={SHOWN_MS} swipeDirection="up">
      {useStore(messages).map(({ id, text, tone, way }) => {
        const Icon = icons[tone];
        return (
          <Radix.Root
            key={id}
            {...(way && { duration: WITH_A_WAY_MS })}
            type={tone === "bad" ? "foreground" : "background"}
            onOpenChange={(open) => open || dismiss(id)}
            className={clsx(
              "plastic pointer-events-auto flex animate-pop-in items-center gap-3 px-4 py-2.5 text-base leading-tight font-bold max-sm:gap-2 max-sm:px-3 max-sm:py-2 max-sm:text-sm max-sm:leading-tight",
              colors[tone],
            )}
          >
            <Icon aria-hidden="true" className="size-5.5 shrink-0" />
            <Radix.Description>{text}</Radix.Description>
            {way && (
              <Radix.Action asChild altText={way.label}>
                <Link
                  href={way.href}
                  state={way.state}
                  className="text-display shrink-0 rounded-lg px-2 py-1.5 underline decoration-2 underline-offset-4"
                >
                  {way.label}
                </Link>
              </Radix.Action>
            )}
          </Radix.Root>
        );
      })}
      <Radix.Viewport className="flex w-fit max-w-[min(30rem,calc(100vw-1.5rem))] flex-col items-center gap-2 outline-none" />
    </Radix.Provider>
  );
}
