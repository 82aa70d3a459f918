// The games of Quarto one finished under one's name, for the page of all games played.
import { PlayedList } from "@/shell/played-list";
import { Piece, PiecePaints } from "./piece";

const DARK_TALL_ROUND = 9;
const LIGHT_SHORT_SQUARE = 2;

export default function QuartoHistory() {
  return (
    <>
      <PiecePaints />
      <PlayedList
        game="quarto"
        none="No games yet. Somebody has to hand over the first piece."
        start={{ href: "/quarto", label: "Play Quarto" }}
        mark={(record) => (
          <Piece
            piece={record.your_index === 0 ? DARK_TALL_ROUND : LIGHT_SHORT_SQUARE}
            className="h-12 w-8 shrink-0"
          />
        )}
        reasons={{
          quarto: "Quarto called",
          board_full: "the board was full",
          uncalled: "a line nobody called",
          forfeit: "by leaving",
          timeout: "by absence",
        }}
      />
    </>
  );
}
