// One game by its address: the room while it waits, the table from then on.
import type { Game } from "@/core/wire";
import { sayError } from "@/core/words";
import { Lost } from "@/pages/lost";
import { Spinner } from "@/ui/spinner";
import { GameTable } from "./game-table";
import { useGame } from "./use-game";
import { WaitingRoom } from "./waiting-room";

export function GameView({ publicId }: { publicId: string }) {
  const held = useGame(publicId);
  const { game, error, seat } = held;
  if (error?.code === "GAME_NOT_FOUND") {
    return (
      <Lost title="This game is gone">
        Games that nobody joins or plays are put away after a while. Start a new one from the shelf.
      </Lost>
    );
  }
  if (!game) {
    return (
      <main className="flex flex-1 flex-col justify-center">
        <Spinner label={error ? sayError(error) : "Setting up the board"} />
      </main>
    );
  }
  if (game.status === "WAITING") {
    return seat === 1 ? <WaitingRoom game={game} /> : <SomeoneElsesRoom game={game} />;
  }
  return <GameTable held={held} game={game} />;
}

function SomeoneElsesRoom({ game }: { game: Game }) {
  return (
    <Lost title="A seat is free here">
      {game.player1.username} is waiting for a friend. Ask them for the code to sit down.
    </Lost>
  );
}
