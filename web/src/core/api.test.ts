// What becomes of the server's answers, good and bad.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError, api } from "./api";
import { session, sessionEnded, signInAsGuest } from "./session";

const fetched = vi.fn<typeof fetch>();

function answer(status: number, body: unknown): void {
  fetched.mockResolvedValueOnce(new Response(JSON.stringify(body), { status }));
}

async function errorOf(promise: Promise<unknown>): Promise<ApiError> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error(`expected an ApiError, got ${String(error)}`);
  return error;
}

const sentHeaders = (): Headers => new Headers(fetched.mock.lastCall?.[1]?.headers);

beforeEach(() => {
  vi.stubGlobal("fetch", fetched);
  session.set(null);
  sessionEnded.set(false);
});

afterEach(() => {
  fetched.mockReset();
  vi.unstubAllGlobals();
});

describe("requests", () => {
  it("carry the guest's token", async () => {
    session.set({ kind: "guest", token: "t1" });
    answer(200, { id: "u1" });
    expect(await api.get("/api/users/me")).toEqual({ id: "u1" });
    expect(sentHeaders().get("Authorization")).toBe("Bearer t1");
  });

  it("carry none where none is wanted", async () => {
    session.set({ kind: "guest", token: "t1" });
    answer(200, {});
    await api.get("/api/config", { anonymous: true });
    expect(sentHeaders().has("Authorization")).toBe(false);
  });

  it("send no body where there is none", async () => {
    answer(201, {});
    await api.post("/api/games");
    expect(fetched.mock.lastCall?.[1]?.body).toBeNull();
    expect(sentHeaders().has("Content-Type")).toBe(false);
  });
});

describe("refusals", () => {
  it("keep the code, the words and the rest of the answer", async () => {
    const body = {
      error: "HAS_ACTIVE_GAME",
      code: "HAS_ACTIVE_GAME",
      message: "busy",
      gameId: "g1",
    };
    answer(409, body);
    const error = await errorOf(api.post("/api/matchmaking/join"));
    expect(error).toMatchObject({ status: 409, code: "HAS_ACTIVE_GAME", message: "busy", body });
  });

  it("understand what the surfaces with stakes say", async () => {
    answer(422, { detail: "Too little money.", code: "insufficient_funds" });
    expect(await errorOf(api.post("/x"))).toMatchObject({
      code: "insufficient_funds",
      message: "Too little money.",
    });
    answer(400, { stake_amount: ["Must be a whole number."] });
    expect(await errorOf(api.post("/x"))).toMatchObject({
      code: "HTTP_400",
      message: "Must be a whole number.",
    });
  });

  it("say when to ask again if it was too much", async () => {
    const body = { error: "RATE_LIMITED", code: "RATE_LIMITED", message: "Too many requests." };
    for (const [header, known] of [
      ["7", 7],
      ["Wed, 21 Oct 2026 07:28:00 GMT", null],
    ] as const) {
      fetched.mockResolvedValueOnce(
        new Response(JSON.stringify(body), { status: 429, headers: { "Retry-After": header } }),
      );
      const error = await errorOf(api.post("/api/games"));
      expect(error).toMatchObject({ tooMuch: true, code: "RATE_LIMITED", retryAfterSec: known });
    }
  });

  it("survive an answer that is no JSON", async () => {
    fetched.mockResolvedValueOnce(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    expect(await errorOf(api.get("/x"))).toMatchObject({ status: 502, code: "HTTP_502" });
    fetched.mockResolvedValueOnce(new Response("<h1>A captive portal</h1>", { status: 200 }));
    expect(await errorOf(api.get("/x"))).toMatchObject({ status: 200, code: "HTTP_200" });
  });

  it("tell a server out of reach from one that says no", async () => {
    fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    expect(await errorOf(api.get("/x"))).toMatchObject({ unreachable: true, code: "UNREACHABLE" });
  });
});

describe("the session", () => {
  it("begins with what the server gives a guest, and is kept", async () => {
    answer(201, { token: "t9", user: { id: "u9", username: "Anna" } });
    expect((await signInAsGuest("  Anna ")).username).toBe("Anna");
    expect(JSON.parse(String(fetched.mock.lastCall?.[1]?.body))).toEqual({ username: "Anna" });
    expect(session.get()).toEqual({ kind: "guest", token: "t9" });
    expect(JSON.parse(localStorage.getItem("parlour.session") ?? "")).toMatchObject({
      token: "t9",
    });
  });

  it("asks for no name in particular when none is given", async () => {
    answer(201, { token: "t9", user: { id: "u9" } });
    await signInAsGuest("  ");
    expect(fetched.mock.lastCall?.[1]?.body).toBeNull();
  });

  it("ends when its token is refused", async () => {
    session.set({ kind: "guest", token: "old" });
    answer(401, { code: "UNAUTHORIZED", message: "no" });
    await errorOf(api.get("/api/users/me"));
    await vi.waitFor(() => expect(session.get()).toBeNull());
    expect(sessionEnded.get()).toBe(true);
    expect(localStorage.getItem("parlour.session")).toBeNull();
  });

  it("outlives the refusal of a token it no longer has", async () => {
    session.set({ kind: "guest", token: "old" });
    fetched.mockImplementationOnce(async () => {
      session.set({ kind: "guest", token: "new" });
      return new Response("{}", { status: 401 });
    });
    await errorOf(api.get("/api/users/me"));
    await new Promise((resolve) => setTimeout(resolve));
    expect(session.get()).toEqual({ kind: "guest", token: "new" });
    expect(sessionEnded.get()).toBe(false);
  });
});
