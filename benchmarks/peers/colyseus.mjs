// A Colyseus room for Connect 4 that broadcasts each move at once. PORT says where it listens.

import { Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { Board } from "./connect4.mjs";

class Connect4 extends Room {
  maxClients = 2;
  patchRate = null;

  onCreate() {
    this.board = new Board();
    this.seats = new Map();
    const tell = () => this.broadcast("s", this.board.shown());
    this.onMessage("m", (client, column) => {
      if (this.board.drop(this.seats.get(client.sessionId), column)) tell();
      else client.send("e", 0);
    });
    this.onMessage("a", () => {
      this.board.reset();
      tell();
    });
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }
}

const server = new Server({ transport: new WebSocketTransport({}), greet: false });
server.define("connect4", Connect4);
await server.listen(Number(process.env.PORT), "127.0.0.1");
