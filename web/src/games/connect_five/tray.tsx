// Between the players while they play: the money, the tools, and what to do with them.
import { ScrollText, ShoppingBag } from "lucide-react";
import type { ReactNode } from "react";
import type { Help, TableModel } from "@/table/model";
import { Helping } from "@/table/playing";
import { Button } from "@/ui/button";
import type { Placement, View } from "./board";
import { Toolbar } from "./toolbar";
import type { Hand } from "./use-hand";
import type { MatchPlayer } from "./wire";

interface TrayProps {
  table: TableModel<View, Placement>;
  /** The pot, or what is left to spend. */
  money: ReactNode;
  /** Whose tools they are. */
  player: MatchPlayer;
  hand: Hand;
  openShop: () => void;
  /** Null: nobody wrote down what happened. */
  openEvents: (() => void) | null;
  help?: Help | null;
}

export function Tray(props: TrayProps) {
  const { table, money, player, hand, openShop, openEvents, help = null } = props;
  return (
    <div className="flex flex-col gap-3 wide:gap-4 short:gap-2">
      <div className="grid min-h-13 grid-cols-[1fr_auto_auto_auto] items-center gap-2 max-wide:order-1 wide:grid-cols-2 wide:gap-3 short:min-h-11">
        <div className="min-w-0 wide:col-span-2">{money}</div>
        <Button
          color="yellow"
          size="small"
          className={openEvents ? undefined : "wide:col-span-2"}
          onClick={openShop}
        >
          <ShoppingBag aria-hidden="true" />
          <span>
            Buy<span className="max-wide:sr-only"> tools</span>
          </span>
        </Button>
        {help && <Helping {...help} crowded />}
        {openEvents && (
          <Button size="small" onClick={openEvents}>
            <ScrollText aria-hidden="true" />
            <span className="max-wide:sr-only">What happened</span>
          </Button>
        )}
      </div>
      <Toolbar player={player} chosen={hand.tool} onChoose={hand.choose} />
      <Hint mine={table.legal.length > 0} hand={hand} />
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
