// Where one can go from a game that is over, beside another one.
import { clsx } from "clsx";
import { History, House, Trophy } from "lucide-react";
import { Link } from "wouter";
import { Button } from "@/ui/button";

const WAYS = [
  { href: "/leaderboard", Icon: Trophy, label: "Leaderboard" },
  { href: "~/history?game=memory", Icon: History, label: "History" },
  { href: "~/", Icon: House, label: "Back to the shelf" },
];

/** Below a board on a phone there is one row, and room for pictures only. */
export function Ways({ belowBoard = false }: { belowBoard?: boolean }) {
  return (
    <div
      className={clsx(
        belowBoard
          ? "flex h-full gap-1.5 side:grid side:gap-3 wide:grid-cols-2"
          : "grid grid-cols-2 gap-3",
      )}
    >
      {WAYS.map(({ href, Icon, label }) => (
        <Button
          key={href}
          asChild
          className={
            belowBoard
              ? "h-full min-w-11 flex-1 px-0! side:h-auto side:px-3! wide:last:col-span-2"
              : "px-3! last:col-span-2"
          }
        >
          <Link href={href}>
            <Icon aria-hidden="true" className="shrink-0" />
            <span className={clsx(belowBoard && "sr-only side:not-sr-only")}>{label}</span>
          </Link>
        </Button>
      ))}
    </div>
  );
}
