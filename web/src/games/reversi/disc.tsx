// A disc: moulded, black on one face and cream on the other. Black has a ring, cream a notched rim and a
// dot, so that colour is never needed.
import { clsx } from "clsx";
import type { Seat } from "@/core/wire";

const NOTCHES = Array.from({ length: 12 }, (_, index) => index * 30);

/** Drawn around (0, 0), 46 in radius. */
export function Face({ side }: { side: Seat }) {
  return side === 0 ? (
    <>
      <circle r="47" fill="#05060f" />
      <circle r="46" fill="url(#rv-black-rim)" />
      <circle r="37" fill="url(#rv-black-dish)" />
      <circle r="35" fill="url(#rv-black-rim)" />
      <circle cx=".8" cy="1.400" r="20" fill="none" stroke="#05060f" strokeWidth="6" />
      <circle r="20" fill="none" stroke="#7f88b4" strokeWidth="4.500" />
      <path
        d="M-38-16A41 41 0 0 1-13-39"
        fill="none"
        stroke="#fff"
        strokeOpacity=".62"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </>
  ) : (
    <>
      <circle r="47" fill="#9a7b45" />
      <circle r="46" fill="url(#rv-cream-rim)" />
      {NOTCHES.map((turn) => (
        <path
          key={turn}
          d="M0-45v7"
          transform={`rotate(${turn})`}
          stroke="#a98648"
          strokeWidth="4"
          strokeLinecap="round"
        />
      ))}
      <circle r="35.500" fill="url(#rv-cream-dish)" />
      <circle r="33.500" fill="url(#rv-cream-rim)" />
      <circle cx=".9" cy="1.600" r="8.500" fill="#a98648" />
      <circle r="8" fill="#c9a766" />
      <path
        d="M-38-16A41 41 0 0 1-13-39"
        fill="none"
        stroke="#fff"
        strokeWidth="4"
        strokeLinecap="round"
      />
    </>
  );
}

/** The paints of both faces; stand in each drawing, as drawings may be hidden one by one. */
export function DiscPaints() {
  return (
    <svg aria-hidden="true" width="0" height="0" className="absolute">
      <defs>
        <linearGradient id="rv-black-rim" x1=".1" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#5a6188" />
          <stop offset=".45" stopColor="#262b46" />
          <stop offset="1" stopColor="#10132a" />
        </linearGradient>
        <linearGradient id="rv-black-dish" x1=".1" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#05060f" />
          <stop offset=".55" stopColor="#1a1e36" />
          <stop offset="1" stopColor="#6a719b" />
        </linearGradient>
        <linearGradient id="rv-cream-rim" x1=".1" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#fffdf6" />
          <stop offset=".5" stopColor="#fbeccb" />
          <stop offset="1" stopColor="#dcc08a" />
        </linearGradient>
        <linearGradient id="rv-cream-dish" x1=".1" y1="0" x2=".8" y2="1">
          <stop offset="0" stopColor="#c3a264" />
          <stop offset=".55" stopColor="#f0dcb2" />
          <stop offset="1" stopColor="#fffdf6" />
        </linearGradient>
      </defs>
    </svg>
  );
}

interface DiscProps {
  side: Seat;
  className?: string | undefined;
}

/** One that lies still, for strips and lists. */
export function Disc({ side, className }: DiscProps) {
  return (
    <span className={clsx("block", className)}>
      <DiscPaints />
      <svg aria-hidden="true" viewBox="-50 -50 100 100" className="block size-full">
        <Face side={side} />
      </svg>
    </span>
  );
}
