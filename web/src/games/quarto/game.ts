// Quarto on the shelf.
import type { Game } from "../game";
import { QuartoLid } from "./lid";

export const quarto: Game = {
  key: "quarto",
  title: "Quarto",
  tagline: "You choose the piece they must place",
  duration: "15 minutes",
  route: "/quarto",
  Lid: QuartoLid,
};
