// Connect 4 on the shelf.
import { piece } from "@/core/piece";
import type { Game } from "../game";
import { Connect4Lid } from "./lid";

export const game: Game = {
  order: 10,
  key: "connect4",
  title: "Connect 4",
  tagline: "Four in a row, before they do",
  duration: "5 minutes",
  route: "/connect4",
  Lid: Connect4Lid,
  Page: piece(() => import("./page")),
  History: piece(() => import("./history")),
  rules: () => import("./rules"),
  // A table with the computer is the host's, and goes by its long id.
  resume: ({ mode, public_id, match }) => `/connect4/game/${mode === "online" ? public_id : match}`,
};
