// Connect Five on the shelf, and what its notifications say.
import { lazy } from "react";
import { money } from "@/core/money";
import type { Notification } from "@/core/wire";
import type { Game } from "../game";
import { ConnectFiveLid } from "./lid";
import type { Challenge } from "./wire";

function notice({ notification_type, payload }: Notification) {
  if (notification_type !== "CONNECT_FIVE_CHALLENGE") return null;
  const challenge = payload.challenge as Challenge | undefined;
  if (!challenge) return null;
  const { id, challenger, currency, stake_amount } = challenge;
  const stakes =
    stake_amount === 0 ? "for nothing but honour" : `for ${money(stake_amount, currency)}`;
  return {
    text: `${challenger.username} challenges you to Connect Five ${stakes}.`,
    href: `/connect-five/games/${id}`,
  };
}

export const game: Game = {
  order: 40,
  key: "connect_five",
  title: "Connect Five",
  shortTitle: "Connect 5",
  tagline: "Five in a row, and mind the bomb",
  duration: "20 minutes",
  route: "/connect-five",
  Lid: ConnectFiveLid,
  Page: lazy(() => import("./page")),
  History: lazy(() => import("./history")),
  resume: ({ challenge }) => (challenge === null ? null : `/connect-five/games/${challenge}`),
  notice,
};
