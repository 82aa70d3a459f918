// Which reads are asked for again by themselves, and when.
import { ApiError } from "./api";

const RETRIES = 2;
/** Who is told to wait longer than this is told so, instead of waiting without a word. */
const LONGEST_WAIT_SEC = 20;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 30_000;

/** A refusal is an answer; only what was not answered, or was too much just now, is asked again. */
export function mayAskAgain(failures: number, error: Error): boolean {
  if (failures >= RETRIES) return false;
  if (!(error instanceof ApiError)) return true;
  if (error.tooMuch) return (error.retryAfterSec ?? 1) <= LONGEST_WAIT_SEC;
  return error.unreachable || error.status >= 500;
}

/** As long as the server wants, and a little by chance, so that not all come back at once. */
export function askAgainAfterMs(failures: number, error: Error): number {
  if (error instanceof ApiError && error.tooMuch) {
    return (error.retryAfterSec ?? 1) * 1000 * (1 + Math.random() / 2);
  }
  return Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS);
}
