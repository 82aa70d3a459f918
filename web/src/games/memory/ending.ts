// How a game ended, in words, whether it was seen or looked up.
import type { PlayedRecord } from "@/core/wire";
import type { Ending } from "./memory";

const titles = { win: "You won", lose: "You lost", draw: "A draw" };

export const resultTitle = ({ result }: Ending): string => titles[result];

export function resultReason(ending: Ending, opponent: string): string {
  const { by, result, you } = ending;
  if (by === "pairs") return `${you} to ${ending.opponent} pairs.`;
  const won = result === "win";
  if (by === "leaving") return `${won ? opponent : "You"} left the game.`;
  return won ? `${opponent} was away for too long.` : "You were away for too long.";
}

const reasons: Record<string, Ending["by"]> = {
  opponent_left: "leaving",
  opponent_disconnected: "absence",
};

export function endingOf(record: PlayedRecord): Ending {
  const { winner_index: winner, your_index: own, end_reason } = record;
  const scores = [record.player0_score ?? 0, record.player1_score ?? 0] as const;
  const [you, opponent] = own === 0 ? scores : [scores[1], scores[0]];
  const result = winner === null ? "draw" : winner === own ? "win" : "lose";
  return { result, you, opponent, by: reasons[end_reason] ?? "pairs" };
}

export function opponentOf(record: PlayedRecord): string {
  const name = record.your_index === 0 ? record.player1_name : record.player0_name;
  return name.replace(/^ai:/, "");
}
