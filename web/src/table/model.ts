// A table as its parts see it, whatever line it came over: who sits there, how it stands, what one can do.
import type { Seat } from "@/core/wire";

/** Somebody who may go away. `awayUntil` null: they may take their time to come back. */
export type Presence = "here" | { awayForMs: number } | { awayUntil: number | null };

export interface Person {
  name: string;
  bot: boolean;
  /** As it is now; null: there is none. */
  rating: number | null;
  /** Null where nobody asks: oneself, the computer, two at one device, a game that is over. */
  presence: Presence | null;
}

export interface RatingMove {
  by: number;
  to: number;
}

/** The time for a move, where there is one. */
export interface MoveTime {
  endsAt: number;
  /** It is shown for the last of it. */
  showMs: number;
}

/** The latest that happened. */
export interface Told {
  /** Tells one from the next. */
  key: string | number;
  /** In words, such as "You placed d3."; empty for what needs none. */
  words: string;
  by: Seat | null;
}

/** How it ended, in words for the one who reads. */
export interface Ended {
  winner: Seat | null;
  /** "You win" */
  title: string;
  reason: string;
  /** What it did to one's own rating. */
  rating: RatingMove | null;
}

/** What may follow: a rematch that both must want, or simply another game. */
export type Next =
  | {
      kind: "rematch";
      /** Who has asked. */
      by: readonly Seat[];
      /** Where it is played, once both have. */
      href: string | null;
      /** Null: it cannot be asked for. */
      ask: (() => void) | null;
      /** Takes back what one asked for; null: nothing to take back. */
      withdraw: (() => void) | null;
      /** The other one has left the table. */
      gone: boolean;
    }
  | { kind: "again"; label: string; again: () => void };

/** Another game than that: with somebody else, or another computer. */
export interface Another {
  kind: "anyone" | "level";
  label: string;
  begin: () => void;
}

/** In practice against the computer. */
export interface Help<Action = unknown> {
  /** Asks for a hint; null: there is none to be had. */
  hint: (() => void) | null;
  /** Takes one's last move back; null: it cannot be. */
  takeBack: (() => void) | null;
  /** What one was advised to do here, and why; without an action if the board cannot show it. */
  advice: { action: Action | null; words: string } | null;
}

export interface TableModel<View = unknown, Action = unknown> {
  /** Another one is another game. */
  id: string;
  players: readonly [Person, Person];
  /** The seats that are one's own: none for who watches, both at one device. */
  seats: readonly Seat[];
  /** Null once it is over. */
  turn: Seat | null;
  /** How long whoever is to move has left; null: as long as it takes. */
  time: MoveTime | null;
  view: View;
  /** What may be done now; empty for who is not to move. */
  legal: readonly Action[];
  /** Chosen and not answered yet. */
  chosen: Action | null;
  told: Told | null;
  /** What is to be done now, where "Your turn." does not say enough. */
  task: string | null;
  ended: Ended | null;
  next: Next | null;
  /** What else one can play after it. */
  others: readonly Another[];
  act: (action: Action) => void;
  /** Null: this game cannot be given up. */
  resign: (() => void) | null;
  /** What giving up means, where the usual words would not be true. */
  resignNote?: string;
  /** How one may be helped; left out where one may not. */
  help?: Help<Action> | null;
  /** What can be claimed from an opponent who is gone. */
  claim: { label: string; take: () => void } | null;
}
