// What the shelf knows of a game before its code is fetched.
import type { ComponentType, LazyExoticComponent } from "react";
import type { Notification } from "@/core/wire";

export interface OpenGame {
  href: string;
  /** "Resume against Anna" */
  label: string;
}

export interface Game {
  /** The server's key for it. */
  key: string;
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
  /** Its page, fetched when opened; without one the box stays closed. */
  Page?: LazyExoticComponent<ComponentType>;
  /** The list of games played, for the history page; fetched when opened. */
  History?: LazyExoticComponent<ComponentType>;
  /** A hook: the game the user left open, if any. */
  useOpenGame?: () => OpenGame | null;
  /** Puts one of the game's notifications into words; null: not one of its own. */
  notice?: (notification: Notification) => { text: string; href: string } | null;
}
