// The bell: how many are new, and the list of them.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import type { Notification } from "@/core/wire";
import { TestSocket } from "@/test-socket";
import { Notifications } from "./notifications";

let stored: Notification[];

const note = (number: number, is_read = false): Notification => ({
  id: number,
  notification_type: "OTHER",
  payload: {},
  is_read,
  created_date: "2030-01-01T12:00:00.000Z",
});

function answer(url: URL): unknown {
  if (url.pathname === "/api/config") return { games: ["connect_five"] };
  if (url.pathname === "/api/users/me") return { id: "anna", username: "Anna" };
  const read = /^\/api\/notifications\/(\d+)\/read$/.exec(url.pathname)?.[1];
  if (read !== undefined) {
    stored = stored.map((one) => (one.id === Number(read) ? { ...one, is_read: true } : one));
    return {};
  }
  const size = Number(url.searchParams.get("page_size") ?? 20);
  const next = stored.length > size ? "/api/notifications?page=2" : null;
  const unread_count = stored.filter((one) => !one.is_read).length;
  const results = stored.slice(0, size);
  return { count: stored.length, next, previous: null, results, unread_count };
}

beforeEach(() => {
  TestSocket.install();
  session.set({ kind: "guest", token: "t1" });
  vi.stubGlobal("fetch", async (path: string) => {
    return new Response(JSON.stringify(answer(new URL(path, window.location.href))));
  });
});

afterEach(() => {
  session.set(null);
  vi.unstubAllGlobals();
});

async function ring() {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Notifications />
    </QueryClientProvider>,
  );
  await screen.findByRole("button");
  act(() => TestSocket.last.open());
}

const tell = (notification: Notification, total_unread_count: number) =>
  act(async () =>
    TestSocket.last.say({ type: "create.notification", notification, total_unread_count }),
  );

const bell = (name: string) => screen.findByRole("button", { name });

it("counts and lists more than one page of them", async () => {
  stored = Array.from({ length: 33 }, (_, number) => note(number));
  await ring();
  await userEvent.click(await bell("Notifications, 33 new"));
  expect(await screen.findAllByRole("menuitem")).toHaveLength(33);
});

it("says the server's count, be it of what is not listed", async () => {
  stored = Array.from({ length: 250 }, (_, number) => note(number, number < 200));
  await ring();
  await bell("Notifications, 50 new");
  stored = [note(250), ...stored];
  await tell(note(250), 51);
  await userEvent.click(await bell("Notifications, 51 new"));
  await userEvent.click((await screen.findAllByRole("menuitem"))[0] as HTMLElement);
  await bell("Notifications, 50 new");
});

it("looks again when another window has read some", async () => {
  stored = [note(1), note(2)];
  await ring();
  await bell("Notifications, 2 new");
  stored = [note(3), note(1, true), note(2, true)];
  await tell(note(3), 1);
  await bell("Notifications, 1 new");
});
