// The brass tools: which one is in hand, and how many are left of each.
import { Infinity as Unlimited } from "lucide-react";
import { play } from "@/core/sound";
import { Tooltip } from "@/ui/tooltip";
import { stock, TOOLS } from "./tools";
import type { MatchPlayer, MoveType } from "./wire";

interface ToolbarProps {
  player: MatchPlayer;
  chosen: MoveType;
  onChoose: (tool: MoveType) => void;
}

export function Toolbar({ player, chosen, onChoose }: ToolbarProps) {
  return (
    <fieldset className="grid grid-cols-5 gap-2">
      <legend className="sr-only">Tools</legend>
      {TOOLS.map(({ type, label, meaning }, index) => {
        const left = stock(player, type);
        return (
          <Tooltip key={type} text={`${label}: ${meaning} (key ${index + 1})`}>
            <button
              type="button"
              aria-pressed={chosen === type}
              disabled={left === 0}
              className="plastic pressable c5-brass relative flex min-h-17 short:min-h-13 flex-col items-center justify-center gap-0.5 rounded-xl px-0.5 pt-1.5 pb-1"
              onPointerDown={() => play("press")}
              onClick={() => onChoose(type)}
            >
              <ToolPicture type={type} className="size-8 short:size-6" />
              <span className="text-display text-sm leading-none">{label}</span>
              <span className="sr-only">{meaning},</span>
              <span
                data-testid={`stock-${type}`}
                className="text-display absolute -top-2 -right-1.5 grid h-6 min-w-6 place-items-center rounded-full bg-ink-dark px-1 text-sm text-[#fff3c9] shadow-[inset_0_1px_0_#5a6496] tabular"
              >
                {type === "SINGLE" && <Unlimited aria-hidden="true" className="size-4" />}
                {type !== "SINGLE" && count(left)}
              </span>
              <span className="sr-only">{type === "SINGLE" ? "unlimited" : "left"}</span>
            </button>
          </Tooltip>
        );
      })}
    </fieldset>
  );
}

const count = (left: number): string => (left > 99 ? "99+" : `${left}`);

interface ToolPictureProps {
  type: MoveType;
  className?: string;
}

/** Engraved: dark, with a light edge below. */
export function ToolPicture({ type, className }: ToolPictureProps) {
  return (
    <svg aria-hidden="true" viewBox="0 0 40 40" className={className}>
      <g fill="#fff6d8" fillOpacity=".75" transform="translate(.8 1.200)">
        <Engraving type={type} />
      </g>
      <g fill="#3a2603">
        <Engraving type={type} />
      </g>
    </svg>
  );
}

const DOTS: Record<Exclude<MoveType, "BOMB">, readonly (readonly [number, number])[]> = {
  SINGLE: [[20, 20]],
  H2: [
    [11, 20],
    [29, 20],
  ],
  V2: [
    [20, 11],
    [20, 29],
  ],
  CROSS4: [
    [20, 7],
    [7, 20],
    [33, 20],
    [20, 33],
  ],
};

function Engraving({ type }: { type: MoveType }) {
  if (type !== "BOMB") {
    const radius = type === "CROSS4" ? 6.4 : 8;
    return DOTS[type].map(([x, y]) => <circle key={`${x}-${y}`} cx={x} cy={y} r={radius} />);
  }
  return (
    <>
      <circle cx="18" cy="24" r="12" />
      <path d="M23.500 10.500 29.500 16.500 27 19 21 13Z" />
      <path d="M27.600 12.400c3-5 6.400-1 8.400-6.400l1.800.7c-2.600 7-6 3-8.400 7Z" />
      <path d="M34 2.500l1 3-2 .6ZM39.500 6l-3 1.400-.9-1.800ZM38.500 12l-2.600-1.800 1.300-1.500Z" />
    </>
  );
}

/** What the other one has in hand. */
export function Inventory({ player }: { player: MatchPlayer }) {
  return (
    <ul
      aria-label={`Tools of ${player.user.username}`}
      className="mt-1 flex min-h-8 items-center gap-1.5 px-1"
    >
      {TOOLS.filter(({ type }) => type !== "SINGLE").map(({ type, label }) => {
        const left = stock(player, type);
        return (
          <li
            key={type}
            className={`c5-brass flex items-center gap-1 rounded-lg py-0.5 pr-2 pl-1 text-sm leading-none font-extrabold tabular shadow-[inset_0_1px_0_#fff0bb,0_2px_0_#6d4a0b] ${left === 0 ? "opacity-75 saturate-[0.25]" : ""}`}
          >
            <ToolPicture type={type} className="size-6" />
            <span className="sr-only">{label}: </span>
            {count(left)}
          </li>
        );
      })}
    </ul>
  );
}
