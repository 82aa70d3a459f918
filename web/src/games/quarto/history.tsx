// The games of Quarto one finished under one's name, for the page of all games played.
import { PlayedList } from "@/shell/played-list";

export default function QuartoHistory() {
  return (
    <PlayedList
      game="quarto"
      none="No games yet. Somebody has to hand over the first piece."
      start={{ href: "/quarto", label: "Play Quarto" }}
      href={({ game_id }) => `/quarto/game/${game_id}`}
      reasons={{
        quarto: "Quarto called",
        board_full: "the board was full",
        uncalled: "a line nobody called",
        forfeit: "by leaving",
        timeout: "by absence",
      }}
    />
  );
}
