// Says things to screen readers: moves, turns, results. Not for what the focus already reads out.
import { createStore, useStore } from "./store";

interface Said {
  text: string;
  /** Saying the same words twice must still be heard twice. */
  turn: number;
}

const polite = createStore<Said>({ text: "", turn: 0 });
const urgent = createStore<Said>({ text: "", turn: 0 });

export function announce(text: string, how: "polite" | "urgent" = "polite"): void {
  const channel = how === "urgent" ? urgent : polite;
  channel.set({ text, turn: channel.get().turn + 1 });
}

/** Stands once at the end of the page. */
export function Announcer() {
  return (
    <div className="sr-only">
      <Channel said={useStore(polite)} live="polite" />
      <Channel said={useStore(urgent)} live="assertive" />
    </div>
  );
}

function Channel({ said, live }: { said: Said; live: "polite" | "assertive" }) {
  return (
    <div aria-live={live} aria-atomic="true">
      <p key={said.turn}>{said.text}</p>
    </div>
  );
}
