// Short messages that come and go at the top of the page, above the board and beside nothing.
import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info } from "lucide-react";
import { Toast as Radix } from "radix-ui";
import { createStore, useStore } from "@/core/store";

type Tone = "plain" | "good" | "bad";

interface Message {
  id: number;
  text: string;
  tone: Tone;
}

const SHOWN_MS = 5000;
const AT_MOST = 3;

const messages = createStore<readonly Message[]>([]);
let lastId = 0;

export function toast(text: string, tone: Tone = "plain"): void {
  const others = messages.get().filter((message) => message.text !== text);
  messages.set([...others, { id: ++lastId, text, tone }].slice(-AT_MOST));
}

function dismiss(id: number): void {
  messages.set(messages.get().filter((message) => message.id !== id));
}

const icons = { plain: Info, good: CircleCheck, bad: CircleAlert };
const colors = { plain: "plastic-ink", good: "plastic-green", bad: "plastic-yellow" };

export function Toasts() {
  return (
    <Radix.Provider duration={SHOWN_MS} swipeDirection="up">
      {useStore(messages).map(({ id, text, tone }) => {
        const Icon = icons[tone];
        return (
          <Radix.Root
            key={id}
            type={tone === "bad" ? "foreground" : "background"}
            onOpenChange={(open) => open || dismiss(id)}
            className={clsx(
              "plastic pointer-events-auto flex animate-pop-in items-center gap-3 px-5 py-3.5 text-lg font-bold",
              colors[tone],
            )}
          >
            <Icon aria-hidden="true" className="size-6 shrink-0" />
            <Radix.Description>{text}</Radix.Description>
          </Radix.Root>
        );
      })}
      <Radix.Viewport className="flex w-fit max-w-[min(30rem,calc(100vw-1.5rem))] flex-col items-center gap-2 outline-none" />
    </Radix.Provider>
  );
}
