// The page that plays: who is queued and who is not, what a result leaves, what lies armed.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { session } from "@/core/session";
import type { MemoryHeard, PlayedRecord } from "@/core/wire";
import { NOTHING } from "@/host/held";
import { table as testTable } from "@/host/test-table";
import type { Play as HostPlay } from "@/host/use-play";
import { TestSocket } from "@/test-socket";
import { Toasts } from "@/ui/toast";
import { Play } from "./play";
import { GAME_ID, testFound, testRecord, testState } from "./test-table";

/** What the server remembers of Anna's games. */
let played: PlayedRecord[];
let leave: () => void;

const nothing = () => undefined;
/** As long as one is not at its start or a table of its own. */
const HOST: HostPlay = {
  held: NOTHING,
  status: "closed",
  say: () => false,
  choose: nothing,
  seek: nothing,
  stop: nothing,
  decline: nothing,
  sitAgain: nothing,
};

const opponent = (name: string) => ({
  name,
  title: name,
  character: "",
  rating: null,
  error: null,
});

function serve(path: string): unknown {
  if (path === "/api/users/me") return { id: "u1", username: "Anna" };
  if (path.startsWith("/api/history?game=memory")) return played;
  if (path === "/api/play/tables") return [];
  if (path === "/api/play/games")
    return [{ key: "memory", opponents: ["Thalia", "Calliope"].map(opponent) }];
  throw new Error(`nobody should ask for ${path}`);
}

beforeEach(() => {
  vi.useFakeTimers();
  sessionStorage.clear();
  TestSocket.install();
  vi.stubGlobal("fetch", async (path: string) => new Response(JSON.stringify(serve(path))));
  session.set({ kind: "guest", token: "t" });
  played = [];
});

afterEach(() => {
  leave();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const lines = (path: string) => TestSocket.all.filter(({ url }) => url.endsWith(path));
/** The document's, or the host's. */
function line(path = "/ws"): TestSocket {
  const last = lines(path).at(-1);
  if (!last) throw new Error(`nobody speaks at ${path}`);
  return last;
}
const pass = (millis: number) => act(() => vi.advanceTimersByTimeAsync(millis));

async function open() {
  const queries = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const { unmount } = render(
    <QueryClientProvider client={queries}>
      <Play host={HOST} />
    </QueryClientProvider>,
  );
  leave = unmount;
  await pass(10);
  await act(async () => line().open());
}

async function say(...messages: MemoryHeard[]) {
  for (const message of messages) {
    await act(async () => line().say(message));
    await pass(1);
  }
}

/** The connection breaks, and the page comes back on another one. */
async function cut() {
  const before = lines("/ws").length;
  await act(async () => line().break());
  await pass(1000);
  expect(lines("/ws")).toHaveLength(before + 1);
  await act(async () => line().open());
}

/** What was said on this connection, after signing in. */
const said = () =>
  line()
    .sent.slice(1)
    .map((message) => (message as { type: string }).type);
const noGame = () =>
  say({ type: "error", message: "No active game for this user.", code: "NO_ACTIVE_GAME" });
const result = () => within(screen.getByRole("region", { name: "Result" }));
const press = (name: string | RegExp) =>
  act(async () => screen.getByRole("button", { name }).click());

async function sit() {
  await open();
  await say(testFound(), testState());
}

async function finish() {
  await say(testState({ you: { name: "Anna", score: 4 } }), {
    type: "game_over",
    result: "win",
    you: { name: "Anna", score: 4 },
    opponent: { name: "Bob", score: 2 },
  });
  await pass(2000);
}

describe("the queue", () => {
  it("is entered by who arrives, and again by who waited when the line was cut", async () => {
    await open();
    await noGame();
    expect(said()).toEqual(["rejoin_my_game", "set_name"]);
    await say({ type: "waiting_for_match" });
    await cut();
    await noGame();
    expect(said()).toEqual(["rejoin_my_game", "set_name"]);
    await act(() => vi.dynamicImportSettled());
    screen.getByRole("heading", { name: "Looking for an opponent" });
  });

  it("is not entered by who looks at a result while the line is cut", async () => {
    await sit();
    await finish();
    await cut();
    await pass(1000);
    expect(said()).toEqual([]);
    result().getByRole("heading", { name: "You won" });
  });

  it("is entered by who asks for another game, also on a new line or without one", async () => {
    await sit();
    await finish();
    await cut();
    await press("New opponent");
    await noGame();
    expect(said()).toEqual(["rejoin_my_game", "set_name"]);
    await say(testFound({ gameId: "another" }), testState());
    await finish();
    await act(async () => line().break());
    await press("New opponent");
    await pass(1000);
    await act(async () => line().open());
    await noGame();
    expect(said()).toEqual(["rejoin_my_game", "set_name"]);
  });

  it("is not entered by who was refused for asking too much: the game is asked for again", async () => {
    await open();
    await say({ type: "error", message: "Too many messages.", code: "RATE_LIMITED" });
    expect(said()).toEqual(["rejoin_my_game"]);
    await pass(2000);
    expect(said()).toEqual(["rejoin_my_game", "rejoin_my_game"]);
    await say(testFound(), testState());
    await pass(5000);
    expect(said()).toEqual(["rejoin_my_game", "rejoin_my_game"]);
  });

  it("is entered although a sign of life comes before the answer", async () => {
    await open();
    await say({ type: "pong", serverTimeUnixMs: Date.now() });
    await noGame();
    expect(said()).toEqual(["rejoin_my_game", "set_name"]);
  });
});

describe("a game that ended while one was away", () => {
  const gone = async () => {
    await say({ type: "error", message: "Game not found.", code: "GAME_NOT_FOUND" });
    await noGame();
    await pass(10);
  };

  it("shows its result, and queues nobody", async () => {
    await sit();
    played = [testRecord()];
    await cut();
    await gone();
    expect(said()).toEqual(["rejoin", "rejoin_my_game"]);
    screen.getByRole("heading", { name: "You lost" });
    screen.getByText("You were away for too long.");
    screen.getByText("984");
    await press("Play again");
    await noGame();
    expect(said().at(-1)).toBe("set_name");
  });

  it("shows it after a reload as well, and through another cut", async () => {
    await sit();
    leave();
    played = [testRecord({ game_id: "later" }), testRecord({ winner_index: 0 })];
    await open();
    await gone();
    await cut();
    expect(said()).toEqual([]);
    screen.getByRole("heading", { name: "You won" });
    screen.getByText("Bob was away for too long.");
  });

  it("is asked for again if the first answer was a refused sign-in", async () => {
    await sit();
    await cut();
    await say({ type: "error", message: "Sign in first.", code: "UNAUTHORIZED" });
    await cut();
    expect(said()).toEqual(["rejoin"]);
  });

  it("is told as over if nobody knows how", async () => {
    await sit();
    await cut();
    await gone();
    expect(said()).not.toContain("set_name");
    screen.getByRole("heading", { name: "This game is gone" });
    screen.getByRole("button", { name: "Play again" });
  });

  it("was another person's if that one signed out in this tab", async () => {
    sessionStorage.setItem("parlour.memory.seat.u9", JSON.stringify({ gameId: "other" }));
    await open();
    await noGame();
    expect(said()).toEqual(["rejoin_my_game", "set_name"]);
  });
});

describe("a table where the game is over", () => {
  it("says how it ended and where to go, beside the board", async () => {
    await sit();
    await finish();
    expect(screen.queryByRole("dialog")).toBeNull();
    const table = result();
    table.getByRole("heading", { name: "You won" });
    table.getByText("4 to 2 pairs.");
    expect(table.getByRole("link", { name: /^Leaderboard/ }).getAttribute("href")).toBe(
      "/leaderboard",
    );
    expect(table.getByRole("link", { name: /^History/ }).getAttribute("href")).toBe(
      "/history?game=memory",
    );
    expect(table.getByRole("link", { name: /^Back to the shelf/ }).getAttribute("href")).toBe("/");
    await press("New opponent");
    await noGame();
    expect(said().at(-1)).toBe("set_name");
  });

  it("calls the one winner who won, not the one with more pairs", async () => {
    await sit();
    await say({ type: "opponent_disconnected" });
    await pass(10);
    within(screen.getByRole("region", { name: "Anna" })).getByText("Winner");
    expect(within(screen.getByRole("region", { name: "Bob" })).queryByText("Winner")).toBeNull();
  });
});

describe("an armed power-up", () => {
  const arm = () => act(async () => screen.getByRole("button", { name: /^Clairvoyance/ }).click());
  const turn = () =>
    act(async () => screen.getByRole("button", { name: "Row 1, column 1: face down" }).click());

  async function armed() {
    await sit();
    await arm();
    screen.getByText(/^Pick a card for Clairvoyance/);
  }

  it("is used on the card that is picked", async () => {
    await armed();
    await turn();
    expect(line().sent.at(-1)).toEqual({
      type: "use_power_up",
      powerUpId: "clairvoyance",
      cardIndex: 0,
    });
  });

  it.each([
    ["the turn passes", testState({ yourTurn: false })],
    ["a card is turned", testState({ phase: "second_flip", flippedIndices: [3] })],
    ["it is gone", testState({ hand: [] })],
  ])("is put down when %s", async (_, between) => {
    await armed();
    await say(between, testState());
    expect(screen.queryByText(/^Pick a card/)).toBeNull();
    await turn();
    expect(said().at(-1)).toBe("flip_card");
  });

  it("is put down by a cut", async () => {
    await armed();
    await cut();
    await say(testFound(), testState());
    await turn();
    expect(said().at(-1)).toBe("flip_card");
  });
});

describe("a power-up in the hand", () => {
  const CHAOS = { hand: [{ powerUpId: "chaos", count: 2, usableCount: 2 }] };
  const chaos = () => screen.getByRole("button", { name: /^Chaos, 2 of them\. All cards/ });
  const use = () => act(async () => chaos().click());

  it("is used before the first flip of one's turn, and only then @B30 @B37", async () => {
    await open();
    await say(testFound(), testState({ ...CHAOS, yourTurn: false }));
    await use();
    await say(testState({ ...CHAOS, phase: "second_flip", flippedIndices: [0] }));
    await use();
    expect(said()).toEqual(["rejoin_my_game"]);
    await say(testState(CHAOS));
    await use();
    expect(line().sent.at(-1)).toMatchObject({ powerUpId: "chaos", cardIndex: null });
  });

  it("is told to both by its label", async () => {
    await sit();
    render(<Toasts />);
    await say({ type: "powerup_used", playerName: "Bob", powerUpLabel: "Necromancy" });
    screen.getByText("Bob used Necromancy.");
  });

  it("has a symbol even if the page has never heard of it @B31", async () => {
    await open();
    await say(
      testFound(),
      testState({ hand: [{ powerUpId: "windfall", count: 1, usableCount: 1 }] }),
    );
    await act(async () => screen.getByRole("button", { name: /^windfall/ }).click());
    expect(line().sent.at(-1)).toMatchObject({ powerUpId: "windfall" });
  });
});

describe("a seat that was taken over in another window", () => {
  it("is taken back by who asks for it, and by nobody else", async () => {
    await sit();
    await act(async () => line().break(4409));
    screen.getByRole("heading", { name: "You play in another window" });
    await pass(60_000);
    expect(TestSocket.all).toHaveLength(1);
    await press("Play here");
    await act(async () => line().open());
    expect(said()).toEqual(["rejoin"]);
    await say(testFound(), testState());
    screen.getByText("Your turn. Turn over a card.");
  });
});

describe("the line that says what happened", () => {
  const card = (index: number, pairId: number, state: "revealed" | "matched") =>
    testState().cards.map((each) => (each.index === index ? { ...each, pairId, state } : each));

  it("names what was turned over and by whom, until it lies face down again", async () => {
    await sit();
    await say(testState({ phase: "second_flip", cards: card(0, 4, "revealed") }));
    screen.getByText("You: Moon.");
    screen.getByText("And its twin?");
    await say(testState({ yourTurn: false }));
    screen.getByText("Bob is to move.");
    await say(testState({ yourTurn: false, cards: card(1, 5, "revealed") }));
    screen.getByText("Bob: Sun.");
    await say(testState());
    expect(screen.queryByText(/Bob:/)).toBeNull();
    screen.getByText("Your turn. Turn over a card.");
  });

  it("tells of a pair", async () => {
    await open();
    await say(testFound(), testState({ yourTurn: false }));
    await say(testState({ yourTurn: false, cards: card(2, 5, "matched") }));
    screen.getByText("Bob: Sun, a pair.");
  });
});

describe("a computer", () => {
  it("is shown as one, and is never away", async () => {
    await open();
    await say(testFound({ opponentUserId: "ai:Bob" }), testState());
    const opponent = within(screen.getByRole("region", { name: "Bob" }));
    opponent.getByText("computer");
    expect(opponent.queryByText("is here")).toBeNull();
  });
});

describe("leaving", () => {
  it("is asked about first, and then told", async () => {
    await sit();
    await press("Give up");
    const dialog = within(screen.getByRole("dialog"));
    dialog.getByText("Bob wins if you go.");
    expect(said()).not.toContain("leave_game");
    await act(async () => dialog.getByRole("button", { name: "Give up" }).click());
    expect(said().slice(-2)).toEqual(["leave_game", "ping"]);
    expect(lines("/ws/play")).toEqual([]);
    await say({ type: "pong", serverTimeUnixMs: Date.now() });
    result().getByRole("heading", { name: "You lost" });
    result().getByText("You left the game.");
  });

  it("cannot be done without a line, and nothing is said to have happened", async () => {
    await sit();
    await act(async () => line().break());
    await press("Give up");
    const dialog = within(screen.getByRole("dialog"));
    await act(async () => dialog.getByRole("button", { name: "Give up" }).click());
    expect(screen.queryByRole("region", { name: "Result" })).toBeNull();
  });

  it("of the opponent wins the game", async () => {
    await sit();
    await say({ type: "opponent_disconnected" });
    await pass(2000);
    result().getByRole("heading", { name: "You won" });
    result().getByText("Bob left the game.");
  });
});

describe("after a game", () => {
  const ROW = { user_id: null, rating: 1000, here: true };
  const table = (changes: object = {}) =>
    testTable({
      match: GAME_ID,
      game: "memory",
      status: "finished",
      mode: "online",
      seat: 1,
      seats: [1],
      players: [
        { ...ROW, name: "Bob", bot: null },
        { ...ROW, name: "Anna", bot: null },
      ],
      ...changes,
    });
  const told = (message: unknown) => act(async () => line("/ws/play").say(message));
  const asked = () => line("/ws/play").sent.map((message) => (message as { type: string }).type);

  async function over(changes: object = {}) {
    await sit();
    expect(lines("/ws/play")).toEqual([]);
    await finish();
    await act(async () => line("/ws/play").open());
    await told(table(changes));
  }

  it("a rematch is asked for at the host, withdrawn, and played on the document's line", async () => {
    await over();
    await press("Rematch");
    await told({ type: "rematch", match: GAME_ID, by: 1, next: null });
    result().getByText("Waiting for Bob to agree.");
    await press(/^Withdraw/);
    await told({ type: "rematch", match: GAME_ID, by: null, next: null });
    expect(asked()).toEqual(["auth", "join", "rematch", "withdraw"]);
    await told({ type: "rematch", match: GAME_ID, by: 0, next: null });
    result().getByText("Bob wants a rematch.");
    await press("Accept rematch");
    await told({ type: "rematch", match: GAME_ID, by: 1, next: "another" });
    await told(table({ match: "another", status: "active" }));
    expect(said().at(-1)).toBe("rejoin_my_game");
    expect(said().filter((type) => type === "rejoin_my_game")).toHaveLength(2);
    // The seat is held on the host's line until it is held on this one.
    expect(line("/ws/play").readyState).toBe(TestSocket.OPEN);
    await say(testFound({ gameId: "another" }), testState());
    expect(line("/ws/play").readyState).toBe(TestSocket.CLOSED);
    screen.getByRole("button", { name: "Give up" });
  });

  it("who is a little slower has not left; who does not come, has", async () => {
    const players = [
      { ...ROW, name: "Bob", bot: null, here: false },
      { ...ROW, name: "Anna", bot: null },
    ];
    await over({ players });
    expect(result().queryByText(/has left/)).toBeNull();
    await told({ type: "presence", match: GAME_ID, here: [true, true] });
    await pass(5000);
    expect(result().queryByText(/has left/)).toBeNull();
    await told({ type: "presence", match: GAME_ID, here: [false, true] });
    result().getByText("Bob has left the table.");
  });

  it("another computer plays at once", async () => {
    const players = [
      { ...ROW, name: "Thalia", bot: "Thalia" },
      { ...ROW, name: "Anna", bot: null },
    ];
    await over({ players, mode: "ai" });
    const levels = within(screen.getByRole("group", { name: "Another level" }));
    expect(levels.getAllByRole("button").map((each) => each.textContent)).toEqual([
      "Harder: Calliope",
    ]);
    await press("Harder: Calliope");
    expect(line("/ws/play").sent.at(-1)).toMatchObject({ type: "play_bot", bot: "Calliope" });
    await told(table({ match: "another", status: "active", ref: "play_bot" }));
    // It plays at the host's table, where there are hints.
    expect(window.location.pathname).toBe("/game/another");
    expect(said()).toEqual(["rejoin_my_game"]);
    window.history.replaceState(null, "", "/");
  });
});

describe("a turn whose time ran out", () => {
  it("is told to who lost it, and to who has it now @B93", async () => {
    await sit();
    render(<Toasts />);
    await say({ type: "turn_timeout" }, testState({ yourTurn: false }));
    screen.getByText("Your time is up. You lost the turn.");
    await say({ type: "turn_timeout" }, testState());
    screen.getByText("Bob took too long. Your turn.");
  });
});

describe("a turn with a limit", () => {
  const LIMITED = { turnCountdownShowSec: 30 };
  const timer = () => screen.queryByRole("timer");
  const endsIn = (seconds: number) => ({
    ...LIMITED,
    turnEndsAtUnixMs: Date.now() + seconds * 1000,
  });

  it("is counted down for as long as the server says, and not before @B71 @B93", async () => {
    await open();
    await say(testFound(), testState(endsIn(60)));
    expect(timer()).toBeNull();
    await pass(29_500);
    expect(timer()).toBeNull();
    await pass(1000);
    expect(timer()?.getAttribute("aria-label")).toBe("30 seconds left");
    await pass(20_000);
    expect(timer()?.getAttribute("aria-label")).toBe("10 seconds left");
    await say(testState({ ...endsIn(60), yourTurn: false }));
    expect(timer()).toBeNull();
    await pass(45_000);
    const opponent = within(screen.getByRole("region", { name: "Bob" }));
    expect(opponent.getByRole("timer").getAttribute("aria-label")).toBe("15 seconds left");
  });

  it("is counted down from another second if that is set @B71 @B93", async () => {
    await open();
    await say(testFound(), testState({ ...endsIn(60), turnCountdownShowSec: 2.5 }));
    await pass(57_000);
    expect(timer()).toBeNull();
    await pass(1000);
    expect(timer()?.getAttribute("aria-label")).toBe("2 seconds left");
  });

  it("is not counted while its clock stands, nor without a limit @B93", async () => {
    await open();
    await say(testFound(), testState(endsIn(10)));
    expect(timer()).not.toBeNull();
    await say(testState(LIMITED));
    expect(timer()).toBeNull();
    await say(testState());
    expect(timer()).toBeNull();
  });
});
