// Between the players while they play: the pot, the tools, and what to do with them.
import { clsx } from "clsx";
import { Check, ScrollText, ShoppingBag, X } from "lucide-react";
import type { TableModel } from "@/table/model";
import { Button } from "@/ui/button";
import { fits, type Placement, type View } from "./board";
import { Pot } from "./coins";
import { placeName } from "./places";
import { Toolbar } from "./toolbar";
import { toolOf } from "./tools";
import type { Hand } from "./use-hand";
import type { Match, MatchPlayer } from "./wire";

interface TrayProps {
  table: TableModel<View, Placement>;
  match: Match;
  /** Whose tools they are. */
  player: MatchPlayer;
  hand: Hand;
  openShop: () => void;
  openEvents: () => void;
}

export function Tray({ table, match, player, hand, openShop, openEvents }: TrayProps) {
  const confirming = hand.picked !== null && table.legal.length > 0;
  return (
    <div className="flex flex-col gap-3 wide:gap-4">
      {/* On a phone the place to confirm takes the pot's room, so that all stays in sight. */}
      <div
        className={clsx(
          "grid min-h-13 grid-cols-[1fr_auto_auto] items-center gap-2 max-wide:order-1 wide:grid-cols-2 wide:gap-3",
          confirming && "max-wide:hidden",
        )}
      >
        <div className="min-w-0 wide:col-span-2">
          <Pot total={match.prize_pool_total} currency={match.currency} goesTo={null} />
        </div>
        <Button color="yellow" size="small" onClick={openShop}>
          <ShoppingBag aria-hidden="true" />
          <span>
            Buy<span className="max-wide:sr-only"> tools</span>
          </span>
        </Button>
        <Button size="small" onClick={openEvents}>
          <ScrollText aria-hidden="true" />
          <span className="max-wide:sr-only">What happened</span>
        </Button>
      </div>
      <Toolbar player={player} chosen={hand.tool} onChoose={hand.choose} />
      {confirming ? (
        <Confirm table={table} hand={hand} />
      ) : (
        <Hint mine={table.legal.length > 0} hand={hand} />
      )}
    </div>
  );
}

/** On a touch screen nothing is placed before it is confirmed. */
function Confirm({ table, hand }: Pick<TrayProps, "table" | "hand">) {
  const { tool, picked, pick } = hand;
  if (!picked) return null;
  const legal = fits(table.legal, { tool, place: picked });
  const where = placeName(picked);
  return (
    <div className="grid min-h-13 grid-cols-[1fr_auto] gap-2 max-wide:order-1 wide:min-h-14">
      <Button
        color={legal ? "green" : "cream"}
        disabled={!legal || table.chosen !== null}
        onClick={() => table.act({ tool, place: picked })}
      >
        {legal ? <Check aria-hidden="true" /> : <X aria-hidden="true" />}
        {!legal && `${toolOf(tool).label} does not fit on ${where}`}
        {legal && (tool === "BOMB" ? `Bomb ${where}` : `Place ${toolOf(tool).label} on ${where}`)}
      </Button>
      <Button aria-label="Pick another place" onClick={() => pick(null)}>
        <X aria-hidden="true" />
      </Button>
    </div>
  );
}

function Hint({ mine, hand }: { mine: boolean; hand: Hand }) {
  return (
    <p className="grid min-h-14 place-items-center max-wide:hidden text-center text-base text-balance text-soft wide:text-lg">
      {mine ? (
        <span>
          {hand.tool === "BOMB" ? "Point at one of their stones." : "Point and click to place."}{" "}
          Keys 1 to 5 change the tool.
        </span>
      ) : (
        "You can choose a tool and buy others meanwhile."
      )}
    </p>
  );
}
