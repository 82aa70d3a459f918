// The purchase dialog and all that names an amount: the prices, the limit, what money is called.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, render, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Notification } from "@/core/wire";
import { Pot } from "./coins";
import { inWords } from "./events";
import { game } from "./game";
import { Payout } from "./result";
import { Shop } from "./shop";
import { testChallenge, testMatch } from "./test-match";
import type { Match, MatchEvent } from "./wire";

const fetched = vi.fn<typeof fetch>();

beforeEach(() => {
  fetched.mockImplementation(async () => new Response(JSON.stringify(testMatch())));
  vi.stubGlobal("fetch", fetched);
});

afterEach(() => {
  fetched.mockReset();
  vi.unstubAllGlobals();
});

/** Anna has spent what she may but for six. */
function limited(changes: Partial<Match> = {}): Match {
  const [anna, bert] = testMatch().players as Match["players"];
  if (!anna || !bert) throw new Error("two play");
  return testMatch({
    players: [{ ...anna, spent_total: 34, remaining_spend: 6 }, bert],
    prize_pool_total: 234,
    ...changes,
  });
}

async function shop(match: Match) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Shop match={match} seat={0} open close={() => undefined} />
    </QueryClientProvider>,
  );
  const dialog = within(await screen.findByRole("dialog"));
  return {
    dialog,
    press: (name: string | RegExp) =>
      act(async () => dialog.getByRole<HTMLButtonElement>("button", { name }).click()),
    buys: () => dialog.getByRole<HTMLButtonElement>("button", { name: /^Buy/ }),
  };
}

it("shows each price, what is left to spend and the prize pool @C10 @C99", async () => {
  const { dialog, buys } = await shop(limited());
  for (const [name, price] of [
    ["H2", 4],
    ["V2", 4],
    ["Cross4", 8],
    ["Bomb", 3],
  ] as const) {
    const choice = dialog.getByRole("radio", { name: new RegExp(`^${name} ${price} TNB`) });
    await act(async () => choice.click());
    expect(buys().textContent).toBe(`Buy 1 for ${price} TNB`);
  }
  const fact = (label: string) => dialog.getByText(label).nextElementSibling?.textContent;
  expect(fact("Left to spend")).toBe("6 TNB");
  expect(fact("Prize pool")).toBe("234 TNB");
});

it("sells what was agreed on and no more @C39 @C99", async () => {
  const { dialog, press, buys } = await shop(limited());
  await press("One more");
  expect(buys().textContent).toBe("Buy 2 for 8 TNB");
  expect(buys().disabled).toBe(true);
  dialog.getByText("You may spend 6 TNB more in this match.");
  await press("One less");
  expect(buys().disabled).toBe(false);
  expect(dialog.queryByText(/^You may spend/)).toBeNull();
  await press("Buy 1 for 4 TNB");
  const asked = fetched.mock.calls.find(([, request]) => request?.method === "POST");
  expect(asked?.[0]).toContain("/matches/31/purchase");
  expect(JSON.parse(String(asked?.[1]?.body))).toEqual({ special_type: "H2", quantity: 1 });
});

it("calls the money what the server calls it @C1", async () => {
  const match = limited({ currency: "PLAY", status: "finished_connect5", winner: 1 });
  const event = (event_type: string, payload: object): MatchEvent =>
    ({ event_type, payload, actor: match.player_a }) as MatchEvent;
  const told = [
    inWords(event("challenge_created", { stake_amount: 100 }), match),
    inWords(event("purchase", { quantity: 1, special_type: "H2", total_cost: 4 }), match),
    inWords(event("settlement", { payouts: { "1": 234, "2": 0 } }), match),
    game.notice?.({
      notification_type: "CONNECT_FIVE_CHALLENGE",
      payload: { challenge: testChallenge({ currency: "PLAY" }) },
    } as unknown as Notification)?.text,
  ];
  expect(told).toEqual([
    "Anna challenged Bert for 100 PLAY.",
    "Anna bought 1 × H2 for 4 PLAY.",
    "Anna got 234 PLAY.",
    "Anna challenges you to Connect Five for 100 PLAY.",
  ]);
  const { dialog } = await shop(match);
  expect(dialog.getByText("Left to spend").nextElementSibling?.textContent).toBe("6 PLAY");
  render(
    <>
      <Pot total={234} currency={match.currency} goesTo={null} />
      <Payout match={match} seat={0} />
    </>,
  );
  expect(screen.getByTestId("pot").textContent).toContain("234 PLAY");
  expect(screen.getByTestId("payout").textContent).toContain("234 PLAY");
  expect(document.body.textContent).not.toContain("TNB");
});
