// A table with the computer: asked for once there is a line, and by who is nobody yet as a guest.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import { NOTHING } from "./held";
import { useComputer } from "./use-computer";
import type { Play } from "./use-play";

const say = vi.fn(() => true);
const nothing = () => undefined;
const line = (status: Play["status"]): Play => ({
  held: NOTHING,
  status,
  say,
  choose: nothing,
  seek: nothing,
  stop: nothing,
  decline: nothing,
  sitAgain: nothing,
});

/** What guests asked to be called, and which names are taken. */
let asked: (string | undefined)[];
let taken: string[];

beforeEach(() => {
  asked = [];
  taken = [];
  say.mockClear();
  session.set(null);
  vi.stubGlobal("fetch", async (path: string, init?: RequestInit) => {
    if (path === "/api/config") return Response.json({ guests: true });
    const { username } = init?.body ? JSON.parse(String(init.body)) : {};
    asked.push(username);
    if (taken.includes(username)) {
      return Response.json(
        { error: { code: "USERNAME_TAKEN", message: "Taken." } },
        { status: 409 },
      );
    }
    return Response.json({ token: "t", user: { id: "u1", username: username ?? "Otter" } });
  });
});

afterEach(() => vi.unstubAllGlobals());

function at(status: Play["status"], name?: string) {
  const queries = new QueryClient();
  return renderHook(({ now }) => useComputer("nim", line(now), name), {
    initialProps: { now: status },
    wrapper: ({ children }) => (
      <QueryClientProvider client={queries}>{children}</QueryClientProvider>
    ),
  });
}

const begin = async (hook: ReturnType<typeof at>, bot: string) => {
  await act(async () => hook.result.current.begin(bot));
  await act(async () => new Promise((done) => setTimeout(done)));
};
const WISH = { type: "play_bot", game: "nim", bot: "easy" };

it("is asked for at once where there is a line, and else as soon as there is one", async () => {
  session.set({ kind: "guest", token: "t" });
  await begin(at("open"), "easy");
  expect(say.mock.calls).toEqual([[WISH]]);
  const later = at("connecting");
  await begin(later, "easy");
  expect(later.result.current.disabled).toBe(true);
  expect(say).toHaveBeenCalledTimes(1);
  later.rerender({ now: "open" });
  expect(say.mock.calls).toEqual([[WISH], [WISH]]);
  expect(later.result.current.disabled).toBe(false);
});

it("makes a guest of who is nobody yet, under the name that was chosen", async () => {
  const hook = at("closed", "Anna");
  await begin(hook, "easy");
  expect(asked).toEqual(["Anna"]);
  expect(session.get()).toEqual({ kind: "guest", token: "t" });
  hook.rerender({ now: "open" });
  expect(say.mock.calls).toEqual([[WISH]]);
});

it("makes a name up where the chosen one is somebody's", async () => {
  taken = ["Anna"];
  await begin(at("closed", "Anna"), "easy");
  expect(asked).toEqual(["Anna", undefined]);
  expect(session.get()).not.toBeNull();
});

it("asks for nothing where nobody can come in", async () => {
  vi.stubGlobal("fetch", async (path: string) =>
    path === "/api/config"
      ? Response.json({ guests: true })
      : Response.json({ error: { code: "RATE_LIMITED", message: "Slowly." } }, { status: 429 }),
  );
  const hook = at("closed");
  await begin(hook, "easy");
  hook.rerender({ now: "open" });
  expect(say).not.toHaveBeenCalled();
  expect(hook.result.current.disabled).toBe(false);
});
