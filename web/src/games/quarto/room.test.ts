// What the page makes of what the room says.
import { describe, expect, it } from "vitest";
import { choicesOf, emptyRoom, heard, NOTHING, type Room, seatOf, trayOf } from "./room";
import { testGame } from "./test-room";
import type { Heard } from "./wire";

const listen = (room: Room, ...messages: Heard[]): Room => messages.reduce(heard, room);
const update = (changes = {}): Heard => ({ type: "STATE_UPDATE", game: testGame(changes) });

describe("a room", () => {
  it("knows one's seat by the secret, and nobody else's", () => {
    const room = listen(
      emptyRoom(null),
      { type: "ROOM_CREATED", roomId: "ABC234", playerId: "secret-0" },
      update(),
    );
    expect(room.game && seatOf(room.game, room.playerId)).toBe(0);
    expect(room.game && seatOf(room.game, "secret-1")).toBeNull();
  });

  it("is gone when the server says so, and there again when it shows it", () => {
    const gone = listen(emptyRoom("old"), { type: "ERROR", code: "ROOM_NOT_FOUND", message: "" });
    expect(gone).toMatchObject({ missing: true, playerId: null });
    expect(listen(gone, update()).missing).toBe(false);
  });

  it("keeps until when is waited, and how the game was given up", () => {
    const room = listen(
      emptyRoom("secret-0"),
      update(),
      { type: "DEADLINES", now: 5, finalCall: null, away: [null, 9] },
      { type: "PLAYER_LEFT", reason: "disconnect" },
    );
    expect(room).toMatchObject({ away: [null, 9], left: null });
    expect(listen(room, { type: "PLAYER_LEFT", reason: "timeout" }).left).toBe("timeout");
  });

  it("begins the next game with a clean table", () => {
    const asked = listen(
      emptyRoom("secret-0"),
      update({ status: "finished" }),
      { type: "PLAYER_LEFT", reason: "forfeit" },
      { type: "REMATCH_REQUESTED", player: 1 },
      { type: "REMATCH_REQUESTED", player: 1 },
    );
    expect(asked.rematch).toEqual([1]);
    expect(listen(asked, update({ id: "g2" }))).toMatchObject({ rematch: [], left: null });
  });
});

describe("what may be done", () => {
  it("is what the server's state says, for the one whose turn it is", () => {
    const selecting = testGame({ availablePieces: [3, 7] });
    expect(choicesOf(selecting, 0)).toEqual({ pieces: [3, 7], positions: [], call: true });
    expect(choicesOf(selecting, 1)).toEqual(NOTHING);
    expect(choicesOf(selecting, null)).toEqual(NOTHING);
    const positions = [...Array(14).fill(0), null, null];
    const placing = testGame({ phase: "placing", selectedPiece: 3, board: { positions } });
    expect(choicesOf(placing, 0)).toEqual({ pieces: [], positions: [14, 15], call: true });
  });

  it("is for both at one device, and nothing after the end", () => {
    expect(choicesOf(testGame({ mode: "local", currentTurn: 1 }), 0).call).toBe(true);
    expect(choicesOf(testGame({ status: "finished" }), 0)).toEqual(NOTHING);
  });

  it("leaves out of the tray what is in somebody's hand", () => {
    const game = testGame({ availablePieces: [3, 7], selectedPiece: 3, phase: "placing" });
    expect([...trayOf(game)]).toEqual([7]);
  });
});
