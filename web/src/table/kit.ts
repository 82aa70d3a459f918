// What a game brings to the table whichever line it is played over.
import type { ComponentType } from "react";
import type { Seat } from "@/core/wire";
import type { StripColor } from "@/ui/strip";
import type { TableModel } from "./model";

/** What a seat plays with. */
export interface Side {
  /** "black" */
  name: string;
  color: StripColor;
  /** Its chip, stone or disc; it carries a mark, not colour alone. */
  Token: ComponentType<{ className?: string }>;
}

export type Sides = readonly [Side, Side];

export interface Kit<View = unknown, Action = unknown> {
  /** Width of the board divided by its height. */
  ratio: number;
  /** Without them players are shown by their initial. */
  sides?: Sides;
  /** What a seat has so far, for its strip. */
  score?: (view: View, seat: Seat) => number;
  /** What a strip says of a player who is here, where whose turn it is does not say enough. */
  status?: (table: TableModel<View, Action>, seat: Seat) => string;
  /** How the server's word of a finished game looks here; without it one cannot look back at it. */
  back?: LookingBack<View, Action>;
  /** What somebody who plays it for the first time is told at this moment; null: nothing. */
  coach?: (table: TableModel<View, Action>) => string | null;
}

/** What the server tells of a finished game, for the board that it was played on. */
export interface LookingBack<View, Action> {
  /** A position, as the server has it; `end` is how the board shows the last one. */
  view: (told: unknown, end: View) => View;
  /** An action of the server's, as the board says it; null: the board shows no such thing. */
  action: (told: unknown) => Action | null;
  /** "c5"; `at` is a position of that game, as the server has it. */
  words: (told: unknown, at: unknown) => string;
  /** One's own seat as the server counts them, in a game where one always sits at 0. */
  seatIn?: (told: unknown) => Seat;
  /** What was hidden has been seen: nothing is played on from. */
  onlyToLook?: boolean;
}

/** A board is handed how it stands and what may be done, and says what was chosen. */
export interface BoardProps<View = unknown, Action = unknown> {
  view: View;
  /** What may be done now; empty for who is not to move. */
  legal: readonly Action[];
  /** One's own seat; null for who watches. At one device, that of whoever is to move. */
  seat: Seat | null;
  turn: Seat | null;
  act: (action: Action) => void;
  /** Chosen and not answered yet; nothing else can be chosen meanwhile. */
  chosen: Action | null;
  /** What one was advised to do. */
  advice?: Action | null;
}

export function boardOf<View, Action>(table: TableModel<View, Action>): BoardProps<View, Action> {
  const { view, legal, seats, turn, act, chosen, help } = table;
  const near = seats[0] ?? null;
  const seat = seats.length > 1 ? (turn ?? near) : near;
  return { view, legal, seat, turn, act, chosen, advice: help?.advice?.action ?? null };
}
