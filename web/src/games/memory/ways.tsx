// Where one can go from a game that is over, beside another one.
import { clsx } from "clsx";
import { History, House, Trophy } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/ui/button";

const WAYS = [
  { href: "/leaderboard", Icon: Trophy, label: "Leaderboard", short: "Best" },
  { href: "~/history?game=memory", Icon: History, label: "History", short: "Played" },
  { href: "~/", Icon: House, label: "Back to the shelf", short: "Shelf" },
];

/** Below a board on a phone there is one row, and room for short words only. */
export function Ways({ belowBoard = false }: { belowBoard?: boolean }) {
  return (
    <div
      className={clsx(
        belowBoard ? "flex gap-1.5 side:grid side:gap-3" : "grid gap-3",
        "grid-cols-2",
      )}
    >
      {WAYS.map(({ href, Icon, label, short }) => (
        <Button
          key={href}
          asChild
          className={clsx(
            "last:col-span-2",
            belowBoard
              ? "min-w-0 flex-1 flex-col gap-1! px-0! text-sm! side:flex-row! side:gap-2! side:px-3! side:text-lg!"
              : "px-3!",
          )}
        >
          <Link href={href}>
            <Icon aria-hidden="true" className="shrink-0" />
            <span className={clsx(belowBoard && "hidden side:inline")}>{label}</span>
            {belowBoard && <span className="side:hidden">{short}</span>}
          </Link>
        </Button>
      ))}
    </div>
  );
}
