// Coming into a room, and back into one's seat.
import { act, renderHook } from "@testing-library/react";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { TestSocket } from "@/test-socket";
import { openRoom } from "./entrance";
import { keptSeat } from "./seats";
import { testGame } from "./test-room";
import { useRoom } from "./use-room";

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  TestSocket.install({ answersPings: true });
});

async function sit(code: string) {
  const { result } = renderHook(() => useRoom(code));
  await act(async () => vi.advanceTimersByTimeAsync(1));
  await act(async () => TestSocket.last.open());
  return result;
}

const say = (message: unknown) => act(async () => TestSocket.last.say(message));
const kinds = () => TestSocket.last.sent.map((said) => (said as { type: string }).type);

describe("a room", () => {
  it("is opened at its address, under the name and against whom one chose", async () => {
    const code = openRoom("Anna", "hard");
    await sit(code);
    expect(TestSocket.last.url).toMatch(new RegExp(`/party/${code}$`));
    expect(TestSocket.last.sent).toEqual([
      { type: "CREATE_ROOM", playerName: "Anna", opponent: "hard" },
      { type: "WATCH" },
    ]);
  });

  it("is only looked at by who comes with its link", async () => {
    await sit("LINK23");
    expect(kinds()).toEqual(["WATCH"]);
  });

  it("may be on the host that the page was built for @D4", async () => {
    vi.stubEnv("VITE_PARTYKIT_HOST", "localhost:1999");
    vi.resetModules();
    const { useRoom: elsewhere } = await import("./use-room");
    renderHook(() => elsewhere("ABC234"));
    await act(async () => vi.advanceTimersByTimeAsync(1));
    expect(TestSocket.last.url).toBe("ws://localhost:1999/party/ABC234");
    vi.unstubAllEnvs();
  });
});

describe("a seat", () => {
  it("is kept as long as the tab, and taken again after a cut @D52 @D53", async () => {
    const code = openRoom("Anna", null);
    const held = await sit(code);
    await say({ type: "ROOM_CREATED", roomId: code, playerId: "secret-0" });
    await say({ type: "STATE_UPDATE", game: testGame() });
    expect(held.current.seat).toBe(0);
    expect(Object.values({ ...sessionStorage })).toContain("secret-0");

    await act(async () => TestSocket.last.break());
    expect(held.current.status).toBe("connecting");
    await act(async () => vi.advanceTimersByTimeAsync(1000));
    await act(async () => TestSocket.last.open());
    expect(TestSocket.all).toHaveLength(2);
    expect(TestSocket.last.sent).toEqual([
      { type: "RECONNECT", playerId: "secret-0" },
      { type: "WATCH" },
    ]);
  });

  it("is forgotten when its room is gone", async () => {
    sessionStorage.setItem("parlour.quarto.seat.GONE23", "secret-0");
    const held = await sit("GONE23");
    expect(kinds()).toEqual(["RECONNECT", "WATCH"]);
    await say({ type: "ERROR", code: "ROOM_NOT_FOUND", message: "" });
    expect(held.current.room.missing).toBe(true);
    expect(keptSeat("GONE23")).toBeNull();
  });

  it("can be taken back from another window", async () => {
    sessionStorage.setItem("parlour.quarto.seat.TWICE2", "secret-0");
    const held = await sit("TWICE2");
    await act(async () => TestSocket.last.break(4409));
    expect(held.current.elsewhere).toBe(true);
    await act(async () => held.current.takeBack());
    await act(async () => vi.advanceTimersByTimeAsync(1));
    await act(async () => TestSocket.last.open());
    expect(kinds()).toEqual(["RECONNECT", "WATCH"]);
  });
});

describe("a move", () => {
  it("waits for its answer, and is no longer waited for when refused", async () => {
    const held = await sit("MOVES2");
    await say({ type: "STATE_UPDATE", game: testGame() });
    await act(async () => held.current.say({ type: "CALL_QUARTO" }));
    expect(held.current.pending).toEqual({ type: "CALL_QUARTO" });
    await say({ type: "ERROR", code: "NO_QUARTO", message: "There is none." });
    expect(held.current.pending).toBeNull();
  });

  it("is not sent into a line that is down", async () => {
    const held = await sit("DOWN23");
    await act(async () => TestSocket.last.break());
    await act(async () => held.current.say({ type: "CALL_QUARTO" }));
    expect(held.current.pending).toBeNull();
  });
});
