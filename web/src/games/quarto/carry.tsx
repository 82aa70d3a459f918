// Pieces do not jump: each is carried from where it stood to where it stands now.
import { m } from "motion/react";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useCalm } from "@/core/preferences";
import { MotionFeatures } from "@/ui/motion";
import { Piece } from "./piece";

/** How long a piece is on its way; what sounds when it lands waits as long. */
export const CARRY_MS = 420;
/** It is lifted over what stands between, by this much of its own height. */
const LIFT = "-26%";

interface Flight {
  piece: number;
  from: DOMRect;
  to: DOMRect;
}

interface Carrier {
  /** Where each piece was seen last. */
  seen: Map<number, DOMRect>;
  flying: ReadonlySet<number>;
  fly: (flight: Flight) => void;
}

const Carriers = createContext<Carrier>({ seen: new Map(), flying: new Set(), fly: () => {} });

export function Carrying({ children }: { children: ReactNode }) {
  const seen = useRef(new Map<number, DOMRect>());
  const [flights, setFlights] = useState<readonly Flight[]>([]);
  const fly = useCallback((flight: Flight) => {
    setFlights((others) => [...others.filter((one) => one.piece !== flight.piece), flight]);
  }, []);
  const land = (piece: number) =>
    setFlights((others) => others.filter((one) => one.piece !== piece));
  const carrier = useMemo(
    () => ({ seen: seen.current, flying: new Set(flights.map(({ piece }) => piece)), fly }),
    [flights, fly],
  );
  return (
    <MotionFeatures>
      <Carriers value={carrier}>{children}</Carriers>
      {flights.map((flight) => (
        <Flying key={flight.piece} {...flight} onLanded={() => land(flight.piece)} />
      ))}
    </MotionFeatures>
  );
}

function Flying({ piece, from, to, onLanded }: Flight & { onLanded: () => void }) {
  const middle = (rect: DOMRect) => [rect.x + rect.width / 2, rect.y + rect.height / 2] as const;
  const [fromX, fromY] = middle(from);
  const [toX, toY] = middle(to);
  return (
    <m.div
      aria-hidden="true"
      data-testid="carried"
      className="pointer-events-none fixed z-30"
      style={{ left: to.left, top: to.top, width: to.width, height: to.height }}
      initial={{ x: fromX - toX, y: fromY - toY, scale: from.width / to.width }}
      animate={{ x: 0, y: 0, scale: 1 }}
      transition={{ type: "spring", visualDuration: CARRY_MS / 1000, bounce: 0.08 }}
      onAnimationComplete={onLanded}
    >
      <m.div
        animate={{ y: ["0%", LIFT, "0%"] }}
        transition={{ duration: CARRY_MS / 1000, times: [0, 0.45, 1], ease: ["easeOut", "easeIn"] }}
      >
        <Piece piece={piece} />
      </m.div>
    </m.div>
  );
}

/** A place with a piece in it. When the piece was elsewhere before, it is seen coming from there. */
export function Carried({ piece, className }: { piece: number; className?: string }) {
  const { seen, flying, fly } = useContext(Carriers);
  const calm = useCalm();
  const place = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a piece comes once to each of its places
  useLayoutEffect(() => {
    const here = place.current;
    if (!here) return;
    const from = seen.get(piece);
    const to = here.getBoundingClientRect();
    seen.delete(piece);
    if (from && !calm && from.width > 0 && to.width > 0) fly({ piece, from, to });
    return () => {
      seen.set(piece, here.getBoundingClientRect());
    };
  }, []);
  return (
    <div ref={place} className={className} style={{ opacity: flying.has(piece) ? 0 : 1 }}>
      <Piece piece={piece} />
    </div>
  );
}
