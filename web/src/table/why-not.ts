// Why nothing can be chosen just now; a tap in vain is answered.
import { toast } from "@/ui/toast";
import type { BoardProps } from "./kit";

type Standing = Pick<BoardProps, "seat" | "turn" | "chosen">;

/** Says so, unless it is plain to see: the game is over, or what was chosen is on its way. */
export function sayWhyNot({ seat, turn, chosen }: Standing, onOwnTurn: string): void {
  if (turn === null || chosen !== null) return;
  if (seat === null) toast("You are watching this game.");
  else toast(seat === turn ? onOwnTurn : "It is not your turn yet.");
}
