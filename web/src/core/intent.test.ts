// Asking for the same thing twice, and for another thing.
import { expect, it } from "vitest";
import { ApiError } from "./api";
import { intend } from "./intent";

const lost = () => Promise.reject(new ApiError(0, "UNREACHABLE", ""));
const unsent = () => Promise.reject(new Error("no token to be had"));
const gatewayGone = () => Promise.reject(new ApiError(504, "HTTP_504", ""));
const refused = () => Promise.reject(new ApiError(422, "insufficient_funds", ""));
const granted = () => Promise.resolve();

/** The names under which a wish is asked for, each time with another outcome. */
async function named(wish: unknown, ...outcomes: (() => Promise<void>)[]): Promise<string[]> {
  const names: string[] = [];
  for (const outcome of outcomes) {
    const ask = (intent: string) => {
      names.push(intent);
      return outcome();
    };
    await intend(wish, ask).catch(() => undefined);
  }
  return names;
}

it("has one name until somebody answers, however often it is asked for", async () => {
  const names = await named(["buy", 1], lost, gatewayGone, unsent, granted);
  expect(new Set(names).size).toBe(1);
});

it("has another name once it was granted or refused", async () => {
  for (const answered of [granted, refused]) {
    const [first, second] = await named(["buy", 2], answered, granted);
    expect(second).not.toBe(first);
  }
});

it("has a name of its own beside another wish without an answer", async () => {
  const [one] = await named(["buy", 3], lost);
  const [other] = await named(["buy", 4], lost);
  expect(other).not.toBe(one);
  expect(await named(["buy", 3], granted)).toEqual([one]);
});
