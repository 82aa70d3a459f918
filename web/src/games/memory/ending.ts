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

/** Whoever lost without the last pair having been found had left, or did not come back. */
export function byOf({ end_reason, left }: PlayedRecord): Ending["by"] {
  if (end_reason !== "opponent_disconnected") return "pairs";
  return left ? "leaving" : "absence";
}

/** Where only the reason is known: who did not come back has left, too. */
export const endedBy = (reason: string | undefined): Ending["by"] =>
  reason === "opponent_disconnected" ? "leaving" : "pairs";

export function endingOf(record: PlayedRecord): Ending {
  const { winner_index: winner, your_index: own } = record;
  const scores = [record.player0_score ?? 0, record.player1_score ?? 0] as const;
  const [you, opponent] = own === 0 ? scores : [scores[1], scores[0]];
  const result = winner === null ? "draw" : winner === own ? "win" : "lose";
  return { result, you, opponent, by: byOf(record) };
}

export function opponentOf(record: PlayedRecord): string {
  const name = record.your_index === 0 ? record.player1_name : record.player0_name;
  return name.replace(/^ai:/, "");
}
