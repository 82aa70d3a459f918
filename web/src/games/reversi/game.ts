// Reversi on the shelf.
import type { Game } from "../game";
import { ReversiLid } from "./lid";

export const game: Game = {
  order: 50,
  key: "reversi",
  title: "Reversi",
  tagline: "Enclose them, and they are yours",
  duration: "15 minutes",
  route: "/reversi",
  Lid: ReversiLid,
  hosted: () => import("./hosted"),
};
