// What the shelf knows of a game before its code is fetched, and what the host's table has to know of it then.
import type { ComponentType, LazyExoticComponent } from "react";
import type { Notification, PlayResult, PlayStep, Seat } from "@/core/wire";
import type { StripColor } from "@/ui/strip";

export interface OpenGame {
  href: string;
  /** "Resume against Anna" */
  label: string;
}

export interface Game {
  /** The server's key for it. */
  key: string;
  /** Its place on the shelf: the lowest stands first. */
  order: number;
  title: string;
  /** What the navigation calls it, if not by its title. */
  shortTitle?: string;
  /** One line on the box. */
  tagline: string;
  /** How long a game takes, as a box would say it. */
  duration: string;
  /** Everything under this path belongs to the game's page. */
  route: string;
  /** The illustration on its box lid. */
  Lid: ComponentType;
  /** What the host's table plays it with; page, history and the open game then come from there. */
  hosted?: () => Promise<{ default: Hosted }>;
  /** Its page, fetched when opened; without one the box stays closed. */
  Page?: LazyExoticComponent<ComponentType>;
  /** The list of games played, for the history page; fetched when opened. */
  History?: LazyExoticComponent<ComponentType>;
  /** A hook: the game the user left open, if any. */
  useOpenGame?: () => OpenGame | null;
  /** Puts one of the game's notifications into words; null: not one of its own. */
  notice?: (notification: Notification) => { text: string; href: string } | null;
}

/** What a seat plays with. */
export interface Side {
  /** "black" */
  name: string;
  color: StripColor;
  /** Its chip, stone or disc; it carries a mark, not colour alone. */
  Token: ComponentType<{ className?: string }>;
}

/** Who somebody is to the one who reads: "You", or a name. */
export type Who = (seat: Seat) => string;

export interface BoardProps<View = unknown, Action = unknown> {
  view: View;
  /** What may be done now; empty for who is not to move. */
  legal: readonly Action[];
  /** One's own seat; null for who watches. At one device, that of whoever is to move. */
  seat: Seat | null;
  turn: Seat | null;
  act: (action: Action) => void;
  /** The latest step since the table was opened. */
  last: PlayStep | null;
  result: PlayResult | null;
  /** Something was chosen and is not answered yet. */
  disabled: boolean;
}

export interface Hosted<View = unknown, Action = unknown> {
  Board: ComponentType<BoardProps<View, Action>>;
  /** Width of the board divided by its height. */
  ratio: number;
  sides: readonly [Side, Side];
  /** What a seat has so far, for its strip. */
  score?: (view: View, seat: Seat) => number;
  /** A step in words, such as "You placed d3."; empty for what needs none. */
  told: (step: PlayStep, who: Who) => string;
  /** Why it ended, in a sentence; by the server's reason. */
  endings: Record<string, (result: PlayResult, who: Who) => string>;
  /** … and in a few words, for the list of games played. */
  reasons: Record<string, string>;
}

/** A description with the types of its own game, for a table that knows of none. */
export function hosted<View, Action>(description: Hosted<View, Action>): Hosted {
  // What the board is handed is what the server sends for this very game, by its schema.
  return description as unknown as Hosted;
}
