// A name for one thing a user means to do, so that asking twice does it once.
import { ApiError } from "./api";

const BYTES = 16;

/** The wishes that nobody has answered yet, and their names. */
const unanswered = new Map<string, string>();

/** (`crypto.randomUUID` is missing where a page has no TLS.) */
function newIntent(): string {
  const chance = crypto.getRandomValues(new Uint8Array(BYTES));
  return [...chance].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** A line that broke, or a proxy that speaks for a server it lost, leaves open what was done. */
const isAnswer = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500;

/**
 * Ask for `wish` under a name for the header `Idempotency-Key`. The same wish keeps its name until
 * it is granted or refused, even if the user gave up in between and asks anew.
 */
export async function intend<T>(wish: unknown, ask: (intent: string) => Promise<T>): Promise<T> {
  const key = JSON.stringify(wish);
  const intent = unanswered.get(key) ?? newIntent();
  unanswered.set(key, intent);
  try {
    const answer = await ask(intent);
    unanswered.delete(key);
    return answer;
  } catch (error) {
    if (isAnswer(error)) unanswered.delete(key);
    throw error;
  }
}
