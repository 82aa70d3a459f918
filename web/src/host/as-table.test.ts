// What the table is told of what the host's socket said.
import { expect, it } from "vitest";
import type { PlayTable } from "@/core/wire";
import type { Hosted } from "@/games/game";
import { asTable } from "./as-table";
import { type Held, NOTHING } from "./held";
import { step, table } from "./test-table";

const Nothing = () => null;
const side = { name: "black", color: "green", Token: Nothing } as const;
const hosted: Hosted = {
  Board: Nothing,
  ratio: 1,
  sides: [side, side],
  rules: [],
  told: ({ by }, who) => (by === null ? "" : `${who(by)} placed.`),
  endings: { counted: ({ winner }, who) => (winner === null ? "" : `Counted for ${who(winner)}.`) },
  reasons: {},
};

const asked: unknown[] = [];
function seen(changes: Partial<PlayTable> = {}, held: Partial<Held> = {}) {
  const say = (message: unknown) => asked.push(message) > 0;
  return asTable(table(changes), hosted, {
    held: { ...NOTHING, ...held },
    say,
    choose: () => {},
    seek: () => {},
  });
}

const bot = (name: string) => ({ user_id: null, bot: "easy", rating: null, here: true, name });
const players = table().players;

it("knows who is here, and how long somebody gone may stay away", () => {
  expect(seen().players.map(({ presence }) => presence)).toEqual([null, "here"]);
  const away = players.map((player) => ({ ...player, here: false }));
  expect(seen({ players: away, deadline_at: 9000 }).players[1].presence).toEqual({
    awayUntil: 9000,
  });
  const local = seen({ mode: "local", seats: [0, 1], players: away });
  expect(local.players.map(({ presence }) => presence)).toEqual([null, null]);
  const computer = seen({ players: [...players.slice(0, 1), bot("Easy")] }).players[1];
  expect(computer).toMatchObject({ bot: true, presence: null });
});

it("tells the last step, and one's own as one's own", () => {
  expect(seen().told).toBeNull();
  expect(seen({}, { last: step() }).told).toEqual({ key: 3, words: "You placed.", by: 0 });
  expect(seen({ seats: [], seat: null }, { last: step() }).told?.words).toBe("Anna placed.");
});

it("ends in words, with the rating as it is then", () => {
  const result = { winner: 0, reason: "counted", scores: null, rating_changes: [16, -16] } as const;
  const over = { status: "finished", turn: null, result: { ...result } } as Partial<PlayTable>;
  const mine = seen(over);
  expect(mine.ended).toEqual({
    winner: 0,
    title: "You win",
    reason: "Counted for You.",
    rating: { by: 16, to: 1216 },
  });
  expect(mine.players.map(({ rating }) => rating)).toEqual([1216, 1184]);
  expect(seen({ ...over, seats: [], seat: null }).ended).toMatchObject({
    title: "Anna wins",
    rating: null,
  });
  expect(seen({ ...over, status: "expired" }).ended?.title).toBe("This game was put away");
});

it("asks for a rematch and gives up only from a seat, and leads who watches to the next game", () => {
  const over = seen({ status: "finished", rematch_by: 1 });
  expect(over.next).toMatchObject({ kind: "rematch", by: [1], href: null });
  if (over.next?.kind === "rematch") over.next.ask?.();
  expect(asked.at(-1)).toEqual({ type: "rematch", match: "m1" });
  const watched = seen({ status: "finished", seats: [], seat: null, next_match: "m2" });
  expect(watched).toMatchObject({ resign: null, next: { href: "/game/m2", ask: null } });
});
