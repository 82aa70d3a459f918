// A name for one thing a user means to do, so that asking twice does it once.
const BYTES = 16;

/** For the header `Idempotency-Key`. (`crypto.randomUUID` is missing where a page has no TLS.) */
export function newIntent(): string {
  const chance = crypto.getRandomValues(new Uint8Array(BYTES));
  return [...chance].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
