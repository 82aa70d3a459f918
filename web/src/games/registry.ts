// The games on the shelf, in the order they stand there.

import { connectFive } from "./connect_five/game";
import { connect4 } from "./connect4/game";
import type { Game } from "./game";
import { memory } from "./memory/game";
import { quarto } from "./quarto/game";

export const games: readonly Game[] = [connect4, memory, quarto, connectFive];
