// A live socket on a page: what becomes of it, and of the session, when its token is not taken.
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TestSocket } from "@/test-socket";
import { session, sessionEnded, useSession } from "./session";
import { reconnecting, useLive } from "./use-live";

const fetched = vi.fn<typeof fetch>();
const pass = (millis: number) => act(async () => vi.advanceTimersByTimeAsync(millis));

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", fetched);
  TestSocket.install();
  session.set({ kind: "guest", token: "t1" });
  sessionEnded.set(false);
});

afterEach(() => {
  fetched.mockReset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function listen() {
  const hook = renderHook(() =>
    useLive({ path: useSession() ? "/ws/wallet/u1" : null, hear: () => undefined }),
  );
  await pass(0);
  await act(async () => TestSocket.last.open());
  return hook;
}

it("comes back after the server waited for the token in vain, and says so meanwhile", async () => {
  fetched.mockImplementation(async () => new Response('{"id": "u1"}'));
  const { result, unmount } = await listen();
  act(() => TestSocket.last.break(4401));
  expect(reconnecting.get()).toBe(1);
  await pass(450);
  await act(async () => TestSocket.last.open());
  expect(TestSocket.all).toHaveLength(2);
  expect(result.current.status).toBe("open");
  expect(reconnecting.get()).toBe(0);
  expect(session.get()).toEqual({ kind: "guest", token: "t1" });
  unmount();
});

it("ends the session when requests with that token are refused too", async () => {
  fetched.mockImplementation(async () => new Response("{}", { status: 401 }));
  await listen();
  act(() => TestSocket.last.break(4401));
  await pass(0);
  expect(session.get()).toBeNull();
  expect(sessionEnded.get()).toBe(true);
  await pass(60_000);
  expect(TestSocket.all).toHaveLength(1);
  expect(reconnecting.get()).toBe(0);
});

it("keeps the session and keeps trying while nobody can say what the token is worth", async () => {
  fetched.mockImplementation(async () => {
    throw new TypeError("Failed to fetch");
  });
  const { unmount } = await listen();
  act(() => TestSocket.last.break(4401));
  await pass(450);
  expect(session.get()).not.toBeNull();
  expect(TestSocket.all).toHaveLength(2);
  unmount();
});
