// Memory on the shelf.
import { piece } from "@/core/piece";
import type { Game } from "../game";
import { MemoryLid } from "./lid";

export const game: Game = {
  order: 20,
  key: "memory",
  title: "Memory",
  tagline: "Find the pairs, mind the power-ups",
  duration: "10 minutes",
  route: "/memory",
  Lid: MemoryLid,
  Page: piece(() => import("./page")),
  History: piece(() => import("./history")),
  rules: () => import("./rules"),
  resume: ({ match, mode, status }) => {
    if (status !== "active") return null;
    return mode === "ai" ? `/memory/game/${match}` : "/memory/play";
  },
};
