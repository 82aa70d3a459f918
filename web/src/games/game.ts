// What the shelf knows of a game before its code is fetched, and what the table has to know of it when it is played over the host's socket.
import type { ComponentType } from "react";
import type { LiveStatus } from "@/core/live";
import type { Piece } from "@/core/piece";
import type { Notification, OpenTable, PlayResult, PlayStep, PlayTable, Seat } from "@/core/wire";
import type { BoardProps, Kit, Sides } from "@/table/kit";
import type { TableModel } from "@/table/model";
import type { Moment, Panel } from "@/table/rules";

export interface OpenGame {
  href: string;
  /** "Resume against Anna" */
  label: string;
}

/** A table to go on at; its code is told to who waited there. */
export type Resumable = OpenTable & { code?: string | null };

export interface Game {
  /** The server's key for it. */
  key: string;
  /** Its place on the shelf: the lowest stands first. */
  order: number;
  title: string;
  /** One line on the box. */
  tagline: string;
  /** How long a game takes, as a box would say it. */
  duration: string;
  /** Everything under this path belongs to the game's page. */
  route: string;
  /** The illustration on its box lid. */
  Lid: ComponentType;
  /** For a game without a document of its own: page, history and the open game then come from the host. */
  hosted?: () => Promise<{ default: Hosted }>;
  /** Its page, fetched when opened; without one the box stays closed. */
  Page?: Piece;
  /** The list of games played, for the history page; fetched when opened. */
  History?: Piece;
  /** How it is played, in three or four panels; fetched when asked for. */
  rules?: () => Promise<{ default: readonly Panel[] }>;
  /** Where a table that the user left open is gone on with; null: its page does not show it. */
  resume?: (table: Resumable) => string | null;
  /** A hook: a game left open that no account knows of, if any. */
  useOpenGame?: () => OpenGame | null;
  /** Puts one of the game's notifications into words; null: not one of its own. */
  notice?: (notification: Notification) => Notice | null;
}

export interface Notice {
  text: string;
  href: string;
  /** What the page there is to know of it. */
  state?: unknown;
}

/** Who somebody is to the one who reads: "You", or a name. */
export type Who = (seat: Seat) => string;

export interface Hosted<View = unknown, Action = unknown> extends Kit<View, Action> {
  Board: ComponentType<BoardProps<View, Action>>;
  sides: Sides;
  /** How it is played, in three or four moments that its board draws. */
  rules: readonly Moment<View, Action>[];
  /** A step in words, such as "You placed d3."; empty for what needs none. */
  told: (step: PlayStep, who: Who) => string;
  /** Why it ended, in a sentence; by the server's reason. */
  endings: Record<string, (result: PlayResult, who: Who) => string>;
  /** … and in a few words, for the list of games played. */
  reasons: Record<string, string>;
  /** The whole table, for a game that lays more on it than a board: clocks, tools. */
  Table?: ComponentType<HostedTableProps>;
}

export interface HostedTableProps {
  title: string;
  /** As the server told it. */
  table: PlayTable;
  /** The same, as the parts of a table see it. */
  shown: TableModel;
  /** The latest step since it was shown. */
  last: PlayStep | null;
  /** Of the socket. */
  status: LiveStatus;
}

/** A description with the types of its own game, for a table that knows of none. */
export function hosted<View, Action>(description: Hosted<View, Action>): Hosted {
  // What the board is handed is what the server sends for this very game, by its schema.
  return description as unknown as Hosted;
}
