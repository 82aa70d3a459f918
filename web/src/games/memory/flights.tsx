// A copy of every matched pair flies to the pile of whoever found it; the cards themselves stay.
import { m } from "motion/react";
import { useEffect, useRef, useState } from "react";
import { useCalm } from "@/core/preferences";
import { MotionFeatures } from "@/ui/motion";
import type { Card } from "./memory";
import { CardSymbol } from "./symbols";

interface Flight {
  id: string;
  pairId: number;
  from: DOMRect;
  to: DOMRect;
}

const DELAY_S = 0.45;

export function Flights({ cards }: { cards: readonly Card[] }) {
  const calm = useCalm();
  const before = useRef(cards);
  const [flights, setFlights] = useState<readonly Flight[]>([]);
  useEffect(() => {
    const old = before.current;
    before.current = cards;
    if (calm) return;
    const won = cards.filter(
      (card) => card.state === "matched" && old[card.index]?.state !== "matched",
    );
    const begun = won.flatMap((card) => flightOf(card));
    if (begun.length > 0) setFlights((now) => [...now, ...begun]);
  }, [cards, calm]);

  const landed = (id: string) => setFlights((now) => now.filter((flight) => flight.id !== id));
  return (
    <MotionFeatures>
      {flights.map((flight) => (
        <m.div
          key={flight.id}
          aria-hidden="true"
          className="mem-fly grid place-items-center rounded-xl bg-[#fffef9] shadow-lg"
          style={{
            left: flight.from.left,
            top: flight.from.top,
            width: flight.from.width,
            height: flight.from.height,
          }}
          initial={{ x: 0, y: 0, scale: 1, opacity: 0 }}
          animate={{
            x: flight.to.left + flight.to.width / 2 - flight.from.left - flight.from.width / 2,
            y: flight.to.top + flight.to.height / 2 - flight.from.top - flight.from.height / 2,
            scale: 0.25,
            opacity: [0, 1, 1, 0.2],
          }}
          transition={{ duration: 0.7, delay: DELAY_S, ease: [0.4, 0, 0.25, 1] }}
          onAnimationComplete={() => landed(flight.id)}
        >
          <CardSymbol pairId={flight.pairId} className="w-2/3" />
        </m.div>
      ))}
    </MotionFeatures>
  );
}

function flightOf(card: Card): Flight[] {
  const from = document.querySelector(`[data-card="${card.index}"]`)?.getBoundingClientRect();
  const to = document.querySelector(`[data-pile="${card.matchedBy}"]`)?.getBoundingClientRect();
  if (!from || !to || card.pairId === undefined) return [];
  return [{ id: `${card.index}-${performance.now()}`, pairId: card.pairId, from, to }];
}
