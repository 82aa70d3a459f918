// A game that has nothing but a board: its page, its history and its open game come from the host.
import { piece } from "@/core/piece";
import type { Game } from "@/games/game";
import { drawnBy } from "@/table/rules";
import { invitationIn } from "./invitation";

export function onShelf(game: Game): Game {
  const { hosted } = game;
  if (hosted === undefined) return game;
  return {
    ...game,
    Page: piece(async () => {
      const [{ HostedPage }, description] = await Promise.all([import("./page"), hosted()]);
      return { default: () => <HostedPage game={game} hosted={description.default} /> };
    }),
    History: piece(async () => {
      const [{ History }, description] = await Promise.all([import("./history"), hosted()]);
      return { default: () => <History game={game} hosted={description.default} /> };
    }),
    rules: async () => {
      const { Board, rules } = (await hosted()).default;
      return { default: drawnBy(Board, rules) };
    },
    resume: (table) => `${game.route}/game/${table.match}`,
    notice: (notification) => {
      const invitation = invitationIn(notification);
      if (invitation?.game !== game.key) return null;
      // Where it can be answered, whether or not the socket tells of it again.
      return {
        text: `${invitation.by.username} invites you to ${game.title}.`,
        href: game.route,
        state: { invitation },
      };
    },
  };
}
