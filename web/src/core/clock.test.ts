// Whose clock counts.
import { afterEach, beforeEach, expect, it, vi } from "vitest";

beforeEach(() => {
  vi.resetModules();
  vi.useFakeTimers({ now: Date.parse("2024-01-01T00:00:00.000Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

it("is the page's until the server says its own", async () => {
  const { noteServerTime, serverNow } = await import("./clock");
  expect(serverNow()).toBe(Date.now());
  noteServerTime("Mon, 01 Jan 2024 00:01:00 GMT", false);
  expect(serverNow() - Date.now()).toBe(60_000);
  noteServerTime("nonsense", true);
  noteServerTime(null, true);
  expect(serverNow() - Date.now()).toBe(60_000);
});

it("believes exact stamps over whole seconds, and of two the one that was on its way less long", async () => {
  const { noteServerTime, serverNow } = await import("./clock");
  noteServerTime("2024-01-01T00:00:10.250Z", true);
  noteServerTime("Mon, 01 Jan 2024 00:00:12 GMT", false);
  expect(serverNow() - Date.now()).toBe(10_250);
  noteServerTime("2024-01-01T00:00:10.100Z", true);
  expect(serverNow() - Date.now()).toBe(10_250);
  noteServerTime("2024-01-01T00:00:10.400Z", true);
  expect(serverNow() - Date.now()).toBe(10_400);
});
