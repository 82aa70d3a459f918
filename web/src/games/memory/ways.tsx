// Where one can go from a game that is over.
import { clsx } from "clsx";
import { History, House, RotateCcw, Trophy } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/ui/button";

const WAYS = [
  { href: "/leaderboard", Icon: Trophy, label: "Leaderboard", short: "Best" },
  { href: "~/history?game=memory", Icon: History, label: "History", short: "Played" },
  { href: "~/", Icon: House, label: "Back to the shelf", short: "Shelf" },
];

const SMALL_ON_A_PHONE =
  "max-wide:w-15 max-wide:flex-col max-wide:gap-1! max-wide:px-0! max-wide:text-sm!";

interface WaysProps {
  again: () => void;
  /** Under a board on a phone there is one row, and room for short words only. */
  oneRow?: boolean;
}

export function Ways({ again, oneRow = false }: WaysProps) {
  const layout = oneRow ? "flex gap-2 wide:grid wide:gap-3" : "grid gap-3";
  return (
    <div className={`${layout} grid-cols-2`}>
      <Button
        color="green"
        size="large"
        onClick={again}
        className="col-span-2 min-w-0 flex-1 px-3!"
      >
        <RotateCcw aria-hidden="true" /> Play again
      </Button>
      {WAYS.map(({ href, Icon, label, short }) => (
        <Button
          key={href}
          asChild
          className={clsx("px-3! last:col-span-2", oneRow && SMALL_ON_A_PHONE)}
        >
          <Link href={href}>
            <Icon aria-hidden="true" className="shrink-0" />
            <span className={clsx(oneRow && "max-wide:hidden")}>{label}</span>
            {oneRow && <span className="wide:hidden">{short}</span>}
          </Link>
        </Button>
      ))}
    </div>
  );
}
