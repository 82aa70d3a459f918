// What happens at a table of Quarto, and what is to be done next, in words.
import type { Who } from "../game";
import { placeName } from "./board";
import { nameOf, otherSeat, seatAt } from "./room";
import { traitsInWords } from "./traits";
import type { Game, HistoryEntry, Seat } from "./wire";

/** Who reads it is "You". */
export function stepInWords(entry: HistoryEntry, nameAt: Who): string {
  const who = nameAt(seatAt(entry.player));
  const s = who === "You" ? "" : "s";
  const piece = entry.pieceId === undefined ? "" : `the ${traitsInWords(entry.pieceId)} piece`;
  if (entry.type === "quarto") return `${who} call${s} Quarto!`;
  if (entry.type === "place")
    return `${who} place${s} ${piece} at ${placeName(entry.position ?? 0)}.`;
  const other = nameAt(otherSeat(entry.player));
  return `${who} hand${s} ${other === "You" ? "you" : other} ${piece}.`;
}

/** `own` is null for spectators and two at one device. */
export function taskInWords(game: Game, own: Seat | null): string {
  const { currentTurn, phase } = game;
  const other = nameOf(game, otherSeat(currentTurn));
  if (own === currentTurn) {
    return phase === "placing"
      ? "Your turn: place the piece."
      : `Your turn: choose a piece for ${other}.`;
  }
  const who = nameOf(game, currentTurn);
  const whom = own === otherSeat(currentTurn) ? "you" : other;
  return phase === "placing" ? `${who} places the piece.` : `${who} chooses a piece for ${whom}.`;
}

/** What a player's strip says. */
export function standingInWords(game: Game, player: Seat, mine: boolean): string {
  if (game.currentTurn !== player) {
    if (game.availablePieces.length === 0) return "";
    return game.phase === "placing" ? "Gave the piece" : "Places next";
  }
  if (game.phase === "placing") return mine ? "Place it" : "Places it";
  if (game.availablePieces.length === 0) return mine ? "Last chance" : "Looks for a line";
  return mine ? "Give a piece" : "Picks a piece";
}
