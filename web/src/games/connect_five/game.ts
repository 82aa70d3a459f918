// Connect Five on the shelf.
import type { Game } from "../game";
import { ConnectFiveLid } from "./lid";

export const connectFive: Game = {
  key: "connect_five",
  title: "Connect Five",
  tagline: "Five in a row, and mind the bomb",
  duration: "20 minutes",
  route: "/connect-five",
  Lid: ConnectFiveLid,
};
