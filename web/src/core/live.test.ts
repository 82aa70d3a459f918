// How a live socket signs in, comes back, and gives up.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { TestSocket } from "@/test-socket";
import { unreachable } from "./api";
import { type Live, type LiveStatus, openLive } from "./live";

let live: Live;
let heard: unknown[];
let statuses: (LiveStatus | [LiveStatus, number])[];
let doubts: number;

async function begin(token: () => Promise<string | null> = async () => "secret") {
  heard = [];
  statuses = [];
  doubts = 0;
  live = openLive({
    path: "/ws/connect4/ABCD2345",
    token,
    hear: (message) => heard.push(message),
    doubted: () => (doubts += 1),
    status: (status, code) => statuses.push(code === undefined ? status : [status, code]),
  });
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  TestSocket.install();
});

afterEach(() => {
  live.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("a live socket", () => {
  it("says who it is before anything else, and never in the address", async () => {
    await begin();
    TestSocket.last.open();
    expect(TestSocket.last.url).toBe("ws://localhost:3000/ws/connect4/ABCD2345");
    expect(TestSocket.last.sent).toEqual([{ type: "auth", token: "secret" }]);
    expect(statuses).toEqual(["connecting", "open"]);
  });

  it("hands on what it hears", async () => {
    await begin();
    TestSocket.last.open();
    TestSocket.last.say({ type: "game", payload: 1 });
    expect(heard).toEqual([{ type: "game", payload: 1 }]);
  });

  it("comes back by itself, waiting longer each time it fails", async () => {
    await begin();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 7; attempt++) {
      const count = TestSocket.all.length;
      const from = Date.now();
      TestSocket.last.break();
      while (TestSocket.all.length === count) await vi.advanceTimersByTimeAsync(50);
      waits.push(Date.now() - from);
    }
    expect(waits[0]).toBeLessThanOrEqual(450);
    expect(waits[4]).toBeGreaterThan(3000);
    expect(Math.max(...waits)).toBeLessThanOrEqual(10_050);
    TestSocket.last.open();
    expect(TestSocket.last.sent).toEqual([{ type: "auth", token: "secret" }]);
    expect(statuses.at(-1)).toBe("open");
  });

  it.each([1008, 1013])("waits longer when it was too much for the server (%i)", async (code) => {
    await begin();
    TestSocket.last.open();
    TestSocket.last.say({ type: "error", code: "RATE_LIMITED", message: "Too many connections." });
    const count = TestSocket.all.length;
    TestSocket.last.break(code);
    await vi.advanceTimersByTimeAsync(3000);
    expect(TestSocket.all.length).toBe(count);
    await vi.advanceTimersByTimeAsync(4000);
    expect(TestSocket.all.length).toBe(count + 1);
  });

  it("is patient again once it has been answered", async () => {
    await begin();
    for (let attempt = 0; attempt < 6; attempt++) {
      TestSocket.last.break();
      await vi.advanceTimersByTimeAsync(11_000);
    }
    TestSocket.last.open();
    TestSocket.last.say({ type: "game" });
    const count = TestSocket.all.length;
    TestSocket.last.break();
    await vi.advanceTimersByTimeAsync(450);
    expect(TestSocket.all.length).toBe(count + 1);
  });

  it("stops for good when the server refuses it", async () => {
    await begin();
    TestSocket.last.open();
    TestSocket.last.break(4404);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(TestSocket.all).toHaveLength(1);
    expect(statuses.at(-1)).toEqual(["closed", 4404]);
  });

  it("comes back with a fresh token when the server did not take the first", async () => {
    let asked = 0;
    await begin(async () => {
      asked += 1;
      return `token ${asked}`;
    });
    TestSocket.last.open();
    TestSocket.last.say({ type: "auth_ok" });
    TestSocket.last.break(4401);
    expect(statuses.at(-1)).toBe("connecting");
    expect(doubts).toBe(1);
    await vi.advanceTimersByTimeAsync(450);
    TestSocket.last.open();
    expect(TestSocket.last.sent).toEqual([{ type: "auth", token: "token 2" }]);
    expect(statuses.at(-1)).toBe("open");
  });

  it("stops for good when a token is wanted and it has none", async () => {
    await begin(async () => null);
    TestSocket.last.open();
    TestSocket.last.break(4401);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(TestSocket.all).toHaveLength(1);
    expect(statuses.at(-1)).toEqual(["closed", 4401]);
    expect(doubts).toBe(0);
  });

  it("asks a silent server for a sign of life, and leaves one that gives none", async () => {
    await begin();
    const silent = TestSocket.last;
    silent.open();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(silent.sent.at(-1)).toEqual({ type: "ping" });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(silent.readyState).toBe(TestSocket.CLOSED);
    await vi.advanceTimersByTimeAsync(500);
    expect(TestSocket.all).toHaveLength(2);
  });

  it("stays with a server that answers the ping, and hands on the time it says", async () => {
    await begin();
    TestSocket.last.open();
    const pongs = [1, 2, 3, 4].map((serverTimeUnixMs) => ({ type: "pong", serverTimeUnixMs }));
    for (const pong of pongs) {
      await vi.advanceTimersByTimeAsync(15_000);
      TestSocket.last.say(pong);
    }
    expect(TestSocket.all).toHaveLength(1);
    expect(heard).toEqual(pongs);
  });

  it("gives up on a connection that never opens", async () => {
    await begin();
    await vi.advanceTimersByTimeAsync(8_500);
    expect(TestSocket.all).toHaveLength(2);
  });

  it("pays no heed to a socket it has already left", async () => {
    await begin();
    const first = TestSocket.last;
    first.open();
    first.break();
    await vi.advanceTimersByTimeAsync(450);
    TestSocket.last.open();
    first.say({ type: "late" });
    first.break();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(heard).toEqual([]);
    expect(TestSocket.all).toHaveLength(2);
  });

  it("does not wait when the line comes back", async () => {
    await begin();
    for (let attempt = 0; attempt < 6; attempt++) {
      TestSocket.last.break();
      await vi.advanceTimersByTimeAsync(11_000);
    }
    TestSocket.last.break();
    const count = TestSocket.all.length;
    window.dispatchEvent(new Event("online"));
    await vi.advanceTimersByTimeAsync(0);
    expect(TestSocket.all.length).toBe(count + 1);
  });

  it("does not wait once a request was answered again", async () => {
    await begin();
    for (let attempt = 0; attempt < 6; attempt++) {
      TestSocket.last.break();
      await vi.advanceTimersByTimeAsync(11_000);
    }
    TestSocket.last.break();
    const count = TestSocket.all.length;
    unreachable.set(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(TestSocket.all.length).toBe(count);
    unreachable.set(false);
    await vi.advanceTimersByTimeAsync(0);
    expect(TestSocket.all.length).toBe(count + 1);
  });

  it("tries again when it could not get a token", async () => {
    let asked = 0;
    await begin(async () => {
      asked += 1;
      if (asked === 1) throw new Error("offline");
      return "secret";
    });
    expect(TestSocket.all).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(450);
    expect(TestSocket.all).toHaveLength(1);
  });

  it("is hung up once it is open, where nobody needs it before that", async () => {
    await begin();
    const socket = TestSocket.last;
    const hangsUp = vi.spyOn(socket, "close");
    live.close();
    expect(hangsUp).not.toHaveBeenCalled();
    socket.open();
    expect(hangsUp).toHaveBeenCalledExactlyOnceWith(1000);
    expect(socket.sent).toEqual([]);
    expect(statuses).toEqual(["connecting", "closed"]);
  });

  it("sends only while it is open", async () => {
    await begin();
    expect(live.send({ type: "move" })).toBe(false);
    TestSocket.last.open();
    expect(live.send({ type: "move" })).toBe(true);
    live.close();
    expect(live.send({ type: "move" })).toBe(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(TestSocket.all).toHaveLength(1);
  });
});
