// What is asked for again by itself, when, and what people are told otherwise.
import { expect, test } from "vitest";
import { askAgainAfterMs, mayAskAgain } from "./again";
import { ApiError } from "./api";
import { sayError } from "./words";

const tooMuch = (seconds: number | null, code = "RATE_LIMITED") =>
  new ApiError(429, code, "Too many requests.", null, seconds);

test("a read that was too much is asked for again when the server says so", () => {
  expect(mayAskAgain(0, tooMuch(3))).toBe(true);
  const wait = askAgainAfterMs(0, tooMuch(3));
  expect(wait).toBeGreaterThanOrEqual(3000);
  expect(wait).toBeLessThanOrEqual(4500);
  expect(mayAskAgain(0, tooMuch(null))).toBe(true);
  expect(askAgainAfterMs(0, tooMuch(null))).toBeGreaterThanOrEqual(1000);
});

test("… but not for ever, nor after a long wait, nor what was refused for good", () => {
  expect(mayAskAgain(2, tooMuch(3))).toBe(false);
  expect(mayAskAgain(0, tooMuch(300))).toBe(false);
  expect(mayAskAgain(0, new ApiError(404, "NOT_FOUND", "no"))).toBe(false);
});

test("what nobody answered is asked for again, waiting longer each time", () => {
  const lost = new ApiError(0, "UNREACHABLE", "gone");
  expect(mayAskAgain(1, lost)).toBe(true);
  expect(mayAskAgain(1, new ApiError(503, "UNAVAILABLE", "away"))).toBe(true);
  expect(askAgainAfterMs(1, lost)).toBe(2 * askAgainAfterMs(0, lost));
});

test("people are told how long to wait, whichever shape the refusal has", () => {
  expect(sayError(tooMuch(1))).toBe("That was a lot at once. Try again in a moment.");
  expect(sayError(tooMuch(40, "rate_limited"))).toBe(
    "That was a lot at once. Try again in 40 seconds.",
  );
  expect(sayError(tooMuch(600))).toBe("That was a lot at once. Try again in 10 minutes.");
});
