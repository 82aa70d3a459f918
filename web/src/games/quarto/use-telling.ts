// Says what happens at the table: to screen readers in words, to everyone else with wood and a chime.
import { useEffect, useRef } from "react";
import { announce } from "@/core/announce";
import { play } from "@/core/sound";
import { placeName } from "./board";
import { CARRY_MS } from "./carry";
import { resultReason, resultTitle } from "./result";
import { isOver, nameOf, otherSeat, playsFor, type Room, winnerOf } from "./room";
import { traitsInWords } from "./traits";
import type { Game, HistoryEntry, Seat } from "./wire";

/** A piece in the hand sounds softer than one put down on the board. */
const IN_HAND = 0.45;

export function useTelling(game: Game, seat: Seat | null, left: Room["left"]): void {
  const told = useRef({ id: game.id, steps: game.history.length, over: isOver(game) });
  useEffect(() => {
    const before = told.current;
    const sameGame = before.id === game.id;
    told.current = { id: game.id, steps: game.history.length, over: isOver(game) };
    const fresh = game.history.slice(sameGame ? before.steps : 0);
    const words = fresh.map((entry) => stepInWords(game, seat, entry));
    if (!sameGame) words.unshift("A new game.");

    const last = fresh.at(-1);
    if (last && last.type !== "quarto") {
      play("knock", { delayMs: CARRY_MS * 0.8, loudness: last.type === "place" ? 1 : IN_HAND });
    }
    if (isOver(game)) {
      if (before.over && sameGame) return;
      words.push(`${resultTitle(game, seat)}. ${resultReason(game, seat, left)}`);
      if (playsFor(game, seat, winnerOf(game) ?? -1)) play("win", { delayMs: CARRY_MS });
    } else if (words.length > 0 || game.history.length === 0) {
      words.push(turnInWords(game, seat));
      const came = last?.type === "select" && playsFor(game, seat, game.currentTurn);
      if (came && game.mode !== "local") play("chime", { delayMs: CARRY_MS });
    }
    if (words.length > 0) announce(words.join(" "));
  }, [game, seat, left]);
}

function stepInWords(game: Game, seat: Seat | null, entry: HistoryEntry): string {
  const mine = seat === entry.player && game.mode !== "local";
  const who = mine ? "You" : nameOf(game, entry.player);
  const s = mine ? "" : "s";
  const piece = entry.pieceId === undefined ? "" : `the ${traitsInWords(entry.pieceId)} piece`;
  if (entry.type === "quarto") return `${who} call${s} Quarto!`;
  if (entry.type === "place")
    return `${who} place${s} ${piece} at ${placeName(entry.position ?? 0)}.`;
  const other = otherSeat(entry.player);
  const whom = seat === other && game.mode !== "local" ? "you" : nameOf(game, other);
  return `${who} hand${s} ${whom} ${piece}.`;
}

/** Whose turn it is and what is to be done; also what the page shows. */
export function turnInWords(game: Game, seat: Seat | null): string {
  const { currentTurn, phase } = game;
  const other = nameOf(game, otherSeat(currentTurn));
  if (seat === currentTurn && game.mode !== "local") {
    return phase === "placing"
      ? "Your turn: place the piece."
      : `Your turn: choose a piece for ${other}.`;
  }
  const who = nameOf(game, currentTurn);
  const whom = seat === otherSeat(currentTurn) && game.mode !== "local" ? "you" : other;
  return phase === "placing" ? `${who} places the piece.` : `${who} chooses a piece for ${whom}.`;
}
