// Connect Five on the shelf, and what its notifications say.
import { money } from "@/core/money";
import { piece } from "@/core/piece";
import type { Notification } from "@/core/wire";
import type { Game } from "../game";
import { ConnectFiveLid } from "./lid";
import type { Challenge } from "./wire";

function notice({ notification_type, payload }: Notification) {
  const declined = notification_type === "CONNECT_FIVE_DECLINED";
  if (notification_type !== "CONNECT_FIVE_CHALLENGE" && !declined) return null;
  const challenge = payload.challenge as Challenge | undefined;
  if (!challenge) return null;
  const { id, challenger, opponent, currency, stake_amount } = challenge;
  const href = `/connect-five/games/${id}`;
  if (declined) return { text: `${opponent.username} declined your challenge.`, href };
  const stakes =
    stake_amount === 0 ? "for nothing but honour" : `for ${money(stake_amount, currency)}`;
  return {
    text: `${challenger.username} challenges you to Connect Five ${stakes}.`,
    href,
  };
}

export const game: Game = {
  order: 40,
  key: "connect_five",
  title: "Connect Five",
  tagline: "Five in a row, and mind the bomb",
  duration: "20 minutes",
  route: "/connect-five",
  Lid: ConnectFiveLid,
  Page: piece(() => import("./page")),
  History: piece(() => import("./history")),
  rules: () => import("./rules"),
  // What is played for nothing came of no challenge.
  resume: ({ challenge, match }) =>
    challenge === null ? `/connect-five/game/${match}` : `/connect-five/games/${challenge}`,
  notice,
};
