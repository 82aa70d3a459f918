// What is said to each server, and what is understood of its answers.
//
// A speech opens a game (`enter`: what its two sockets connect to), frames a move and the wish for
// another game, and says what a message means: "in", "moved", "again" or nothing. For players who
// know no speech it also says how the messages begin that mean "in" and, in a first game, "moved".

import http from "node:http";
import { frame } from "./wire.mjs";

const agent = new http.Agent({ keepAlive: true, maxSockets: 16 });

/** Closes what is kept open: who does nothing for a while would use it after the server closed it. */
export const hangUp = () => agent.destroy();

function post(port, path, token) {
  const headers = { "content-type": "application/json" };
  if (token) headers.authorization = `Bearer ${token}`;
  return new Promise((resolve, reject) => {
    const asked = { agent, port, path, headers, host: "127.0.0.1", method: "POST" };
    const request = http.request(asked, (answer) => {
      let body = "";
      answer.setEncoding("utf8");
      answer.on("data", (piece) => (body += piece));
      answer.on("end", () => {
        if (answer.statusCode < 300) resolve(JSON.parse(body));
        else reject(new Error(`${path}: ${answer.statusCode} ${body}`));
      });
    });
    request.on("error", reject);
    request.end(path.startsWith("/matchmake") ? "{}" : undefined);
  });
}

const begins = (payload, text) =>
  payload.length >= text.length && payload.latin1Slice(0, text.length) === text;

class Parlour {
  /** A match is played once, so another game is another match, at which the same two sit. */
  lasting = false;
  players = [];
  in = Buffer.from('{"type":"game",');
  moved = ['{"type":"turn_changed"', '{"type":"game_ended"'].map((text) => Buffer.from(text));

  async enter(port, number) {
    const known = this.players[number];
    const ask = async () => (await post(port, "/api/auth/guest")).token;
    const [first, second] = known ?? (this.players[number] = [await ask(), await ask()]);
    const { code } = await post(port, "/api/games", first);
    const { publicId, game } = await post(port, `/api/games/join/${code}`, second);
    const tokens = game.currentTurn === 1 ? [first, second] : [second, first];
    return tokens.map((token) => ({
      path: `/ws/connect4/${publicId}`,
      headers: { Authorization: `Bearer ${token}` },
    }));
  }

  move(column) {
    return frame(Buffer.from(`{"type":"move","payload":{"column":${column}}}`));
  }

  means(payload) {
    // Each move is told in two messages, of which this is the second.
    if (begins(payload, '{"type":"turn_changed"')) return "moved";
    if (begins(payload, '{"type":"game_ended"')) return "moved";
    if (begins(payload, '{"type":"game"')) return "in";
    if (begins(payload, '{"type":"error"')) throw new Error(payload.toString());
    return "";
  }
}

class Bare {
  lasting = true;
  again = frame(Buffer.from('{"again":true}'));
  in = Buffer.from("{}");
  moved = [Buffer.from('{"n":')];

  async enter(_port, number, round = 0) {
    const place = { path: `/room-${round}-${number}`, headers: {} };
    return [place, place];
  }

  move(column) {
    return frame(Buffer.from(`{"column":${column}}`));
  }

  means(payload) {
    if (begins(payload, '{"n":0,')) return "again";
    if (begins(payload, '{"n":')) return "moved";
    if (begins(payload, "{}")) return "in";
    throw new Error(payload.toString());
  }
}

class Colyseus {
  // One byte says what a message is; a room's begin with their name in MessagePack, of one letter.
  static JOIN = 10;
  static DATA = 13;
  static BINARY = 2;
  lasting = true;
  again = frame(Buffer.from([Colyseus.DATA, 0xa1, 0x61, 0]), Colyseus.BINARY);
  ready = frame(Buffer.from([Colyseus.JOIN]), Colyseus.BINARY);
  in = Buffer.from([Colyseus.JOIN]);
  moved = [Buffer.from([Colyseus.DATA, 0xa1, 0x73])];

  async enter(port) {
    const first = await post(port, "/matchmake/create/connect4");
    const second = await post(port, `/matchmake/joinById/${first.roomId}`);
    return [first, second].map(({ processId, roomId, sessionId }) => ({
      path: `/${processId}/${roomId}?sessionId=${sessionId}`,
      headers: {},
    }));
  }

  move(column) {
    return frame(Buffer.from([Colyseus.DATA, 0xa1, 0x6d, column]), Colyseus.BINARY);
  }

  means(payload) {
    if (payload[0] === Colyseus.JOIN) return "in";
    if (payload[0] !== Colyseus.DATA) return "";
    if (payload[2] !== 0x73) throw new Error(`refused: ${payload.toString("hex")}`);
    // A map that begins with "n", which is a small number.
    return payload[payload.indexOf(0x6e, 3) + 1] === 0 ? "again" : "moved";
  }
}

export const speeches = { parlour: Parlour, bare: Bare, colyseus: Colyseus };
