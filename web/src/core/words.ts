// Errors in words: what happened, and what to do now.
import { ApiError } from "./api";

const words: Record<string, string> = {
  UNREACHABLE: "Parlour cannot be reached. Check your connection; we keep trying.",
  UNAUTHORIZED: "You are signed out. Sign in to go on.",
  USERNAME_TAKEN: "Someone already has that name. Try another one.",
  INVALID_USERNAME: "A name has 3 to 20 letters, digits or underscores.",
  UNKNOWN_CODE:
    "No account has this code. It may have been used, or replaced by a newer one: make another where you are still signed in.",
  GAME_NOT_FOUND: "There is no such game. It may have been closed.",
  GAME_ALREADY_STARTED: "That game already has two players.",
  CANNOT_JOIN_OWN_GAME: "That is your own game. Send the code to a friend.",
  HAS_ACTIVE_GAME: "You are already in a game. Finish that one first.",
  INVALID_CODE_FORMAT: "A code has six letters or digits, like K7QF2M.",
  OPPONENT_NOT_ABANDONED: "Your opponent is back. Play on.",
  USE_CLAIM_ABANDONED_ENDPOINT: "Your opponent is gone. You can claim the win.",
  NOT_IN_GAME: "You are watching this game, not playing it.",
};

/** A sentence for people. `own` are a game's codes; they go before ours. */
export function sayError(error: unknown, own: Record<string, string> = {}): string {
  if (!(error instanceof ApiError)) return "Something went wrong. Please try again.";
  if (error.tooMuch) return `That was a lot at once. Try again ${soon(error.retryAfterSec)}.`;
  return own[error.code] ?? words[error.code] ?? error.message;
}

function soon(seconds: number | null): string {
  if (seconds === null || seconds <= 1) return "in a moment";
  if (seconds <= 90) return `in ${seconds} seconds`;
  return `in ${Math.ceil(seconds / 60)} minutes`;
}
