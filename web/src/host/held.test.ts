// What becomes of a table by what is heard: steps, presence, takeover, stale choices, the next game.
import { describe, expect, it } from "vitest";
import type { PlayHeard } from "@/core/wire";
import { answered, chose, type Held, heard, NOTHING } from "./held";
import { step, table } from "./test-table";

const hear = (...messages: PlayHeard[]): Held => messages.reduce(heard, NOTHING);
const STALE = {
  type: "error",
  ref: "act",
  code: "STALE",
  message: "Look again.",
  match: "m1",
} as const;
const place = { type: "place", cell: 1 };

describe("a table", () => {
  it("moves on with its steps, and keeps who sits there", () => {
    const { table: now, last } = hear(table(), step());
    expect(now).toMatchObject({ version: 3, turn: 1, view: { stones: 1 }, legal: [], seat: 0 });
    expect(now?.players.map(({ name }) => name)).toEqual(["Anna", "Ben"]);
    expect(now?.type).toBe("table");
    expect(last?.action).toEqual(place);
  });

  it("takes no step twice, and none of another table", () => {
    const held = hear(table(), step());
    expect(heard(held, step())).toBe(held);
    expect(heard(held, step({ match: "m2", version: 9 }))).toBe(held);
    expect(heard(NOTHING, step())).toBe(NOTHING);
  });

  it("knows who is there; the computer always is", () => {
    const players = table().players.map((player, seat) => ({
      ...player,
      bot: seat ? "easy" : null,
    }));
    const held = hear(table({ players }), {
      type: "presence",
      match: "m1",
      here: [false, false],
      claims: [],
      now: 5,
    });
    expect(held.table?.players.map(({ here }) => here)).toEqual([false, true]);
  });

  it("remembers who wants another game, and where that is", () => {
    const over = table({ status: "finished" });
    const asked = hear(over, { type: "rematch", match: "m1", by: 1, next: null });
    expect(asked.table).toMatchObject({ rematch_by: 1, next_match: null });
    const begun = heard(asked, { type: "rematch", match: "m1", by: 1, next: "m2" });
    expect(begun.table?.next_match).toBe("m2");
    const next = heard(begun, table({ match: "m2", seat: 1, seats: [1] }));
    expect(next.table).toMatchObject({ match: "m2", seat: 1, next_match: null });
    expect(next.last).toBeNull();
  });

  it("is taken over by another window until it is taken back", () => {
    const held = hear(table(), { type: "left", match: "m1", why: "taken_over" });
    expect(held.left).toBe("taken_over");
    expect(heard(held, table()).left).toBeNull();
    expect(hear(table(), { type: "left", match: "m2", why: "taken_over" }).left).toBeNull();
    expect(hear(table(), { type: "left", match: "m1", why: "unwatched" }).left).toBeNull();
  });
});

describe("what was chosen", () => {
  const chosen = chose(hear(table()), place);

  it("waits for its answer, and nothing else can be chosen meanwhile", () => {
    expect(chosen.chosen).toMatchObject({ action: place, version: 2 });
    expect(chose(chosen, { type: "place", cell: 2 })).toBe(chosen);
    expect(heard(chosen, step()).chosen).toBeNull();
    expect(heard(chosen, { type: "done", ref: "act", match: "m1", version: 3 }).chosen).toBeNull();
  });

  it("is decided again as it stands when somebody only came or went", () => {
    const gone = heard(chosen, step({ kind: "gone", by: 1, action: null, turn: 0 }));
    const again = heard(gone, STALE);
    expect(again.chosen).toMatchObject({ action: place, version: 3 });
    expect(again.refused).toBeNull();
  });

  it("is dropped when the game itself moved on", () => {
    const moved = heard(heard(chosen, step({ by: 1 })), STALE);
    expect(moved.chosen).toBeNull();
    expect(heard(chosen, STALE)).toMatchObject({ chosen: null, refused: { code: "STALE" } });
  });

  it("outlives a cut, since only asking again tells whether it was played", () => {
    expect(heard(chosen, table({ version: 5 })).chosen).toEqual(chosen.chosen);
    expect(heard(chosen, table({ match: "m2" })).chosen).toBeNull();
  });

  it("is said on the newer version if all looks as it did before the cut, and else dropped", () => {
    const same = heard(heard(chosen, table({ version: 5 })), STALE);
    expect(same).toMatchObject({ chosen: { action: place, version: 5 }, refused: null });
    // The server does not take that either: there is no third time without another change.
    expect(heard(same, STALE)).toMatchObject({ chosen: null, refused: { code: "STALE" } });
    const moved = table({ version: 5, view: { stones: 2 } });
    expect(heard(heard(chosen, moved), STALE).chosen).toBeNull();
  });

  it("is nothing without a table", () => {
    expect(chose(NOTHING, place)).toBe(NOTHING);
  });
});

describe("looking for an opponent", () => {
  const seeking: PlayHeard = { type: "seeking", game: "nim", bot_at: null, now: 77 };

  it("lasts until a table is there, or it is given up", () => {
    expect(hear(seeking).seeking).toEqual({ since: 77, botAt: null });
    expect(hear(seeking, table()).seeking).toBeNull();
    expect(hear(seeking, { type: "done", ref: "withdraw" }).seeking).toBeNull();
  });

  it("goes on in another window if it is begun there", () => {
    const elsewhere = { type: "error", code: "SEEKING_ELSEWHERE", message: "There." } as const;
    expect(hear(seeking, elsewhere)).toMatchObject({
      seeking: null,
      refused: { message: "There." },
    });
  });

  it("is not ended by a refusal of something else", () => {
    const other = { type: "error", ref: "join", code: "NO_SUCH_TABLE", message: "None." } as const;
    expect(hear(seeking, other).seeking).not.toBeNull();
  });
});

describe("invitations", () => {
  const by = { id: "u9", username: "Cleo" };
  const invited = (match: string): PlayHeard => ({
    type: "invitation",
    match,
    game: "nim",
    code: "K7QF2M",
    by,
  });

  it("stand until they are answered, each once", () => {
    const held = hear(invited("m1"), invited("m2"), invited("m1"));
    expect(held.invitations.map(({ match }) => match)).toEqual(["m2", "m1"]);
    expect(heard(held, table({ match: "m1" })).invitations.map(({ match }) => match)).toEqual([
      "m2",
    ]);
    expect(answered(held, "m2").invitations.map(({ match }) => match)).toEqual(["m1"]);
  });
});
