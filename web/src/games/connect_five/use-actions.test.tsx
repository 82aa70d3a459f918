// Buying and answering over a line that loses answers: nothing may be paid for twice.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import type { ReactNode } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { testChallenge, testMatch } from "./test-match";
import { usePurchase } from "./use-actions";
import { useAnswer, useCreate } from "./use-challenge";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
  fetched.mockImplementation(async () => {
    throw new TypeError("Failed to fetch");
  });
});

afterEach(() => {
  fetched.mockReset();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function show<T>(hook: () => T): { current: T } {
  const queries = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queries}>{children}</QueryClientProvider>
  );
  return renderHook(hook, { wrapper }).result;
}

/** Long enough for every try of one press. */
const press = async (button: () => unknown) => {
  await act(async () => void button());
  await act(async () => vi.advanceTimersByTimeAsync(30_000));
};

const keysSent = (): (string | null)[] =>
  fetched.mock.calls
    .filter(([, request]) => request?.method === "POST")
    .map(([, request]) => new Headers(request?.headers).get("Idempotency-Key"));

it("buys under one key until the server answers, and under another from then on", async () => {
  const shop = show(() => usePurchase(testMatch(), () => undefined));
  await press(() => shop.current.buy("H2", 1));
  await press(() => shop.current.buy("H2", 1));
  expect(keysSent()).toHaveLength(6);
  expect(new Set(keysSent()).size).toBe(1);

  await press(() => shop.current.buy("H2", 2));
  expect(new Set(keysSent()).size).toBe(2);

  const answer = JSON.stringify({ ...testMatch(), remaining_spend: 36 });
  fetched.mockImplementation(async () => new Response(answer));
  await press(() => shop.current.buy("H2", 1));
  expect(keysSent().at(-1)).toBe(keysSent()[0]);
  await press(() => shop.current.buy("H2", 1));
  expect(new Set(keysSent()).size).toBe(3);
});

it("sends, accepts and takes back a challenge under one key each", async () => {
  const terms = {
    opponent_id: "bert",
    stake_amount: 100,
    max_spend_amount: 40,
    time_limit_seconds: 300,
  } as const;
  const create = show(() => useCreate(1));
  const answer = show(() => useAnswer(testChallenge(), 2));
  const presses = [
    () => create.current.send(terms),
    () => answer.current.accept(),
    () => answer.current.cancel(),
  ];
  for (const button of presses) {
    fetched.mockClear();
    await press(button);
    await press(button);
    expect(keysSent()).toHaveLength(6);
    expect(new Set(keysSent()).size).toBe(1);
  }
});
