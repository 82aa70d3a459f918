// The games of one kind that one finished, for the page of all games played.
import type { Seat } from "@/core/wire";
import type { Game, Hosted } from "@/games/game";
import { PlayedList } from "@/shell/played-list";

export function History({ game, hosted }: { game: Game; hosted: Hosted }) {
  return (
    <PlayedList
      game={game.key}
      none="No games yet. The board is set up."
      start={{ href: game.route, label: `Play ${game.title}` }}
      mark={(record) => {
        const { Token } = hosted.sides[record.your_index as Seat];
        return <Token className="size-11 shrink-0" />;
      }}
      reasons={hosted.reasons}
      scored={hosted.score !== undefined}
      href={({ game_id }) => `${game.route}/game/${game_id}`}
    />
  );
}
