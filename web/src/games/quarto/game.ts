// Quarto on the shelf.
import { piece } from "@/core/piece";
import type { Game } from "../game";
import { QuartoLid } from "./lid";
import { useOpenGame } from "./seats";

export const game: Game = {
  order: 30,
  key: "quarto",
  title: "Quarto",
  tagline: "You choose the piece they must place",
  duration: "15 minutes",
  route: "/quarto",
  Lid: QuartoLid,
  Page: piece(() => import("./page")),
  History: piece(() => import("./history")),
  // A seat in a room is proven by what this tab keeps; only who waited is told the room by its code.
  resume: ({ match, mode, code }) =>
    mode === "ai" ? `/quarto/game/${match}` : code ? `/quarto/${code}` : null,
  rules: () => import("./rules"),
  useOpenGame,
};
