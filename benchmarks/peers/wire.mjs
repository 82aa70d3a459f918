// A WebSocket client that does as little as possible, so that the server is what is measured.

import net from "node:net";

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;
const NOTHING = Buffer.alloc(0);

/** A client's frame; its mask is all zeros, which changes nothing. */
export function frame(payload, opcode = TEXT) {
  if (payload.length > 125) throw new Error("longer than any move");
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | payload.length, 0, 0, 0, 0]), payload]);
}

/** What opens a socket. */
export function request(port, path, headers) {
  const lines = Object.entries({
    Host: `127.0.0.1:${port}`,
    Upgrade: "websocket",
    Connection: "Upgrade",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}

export class Socket {
  /** `hear(payload)` is called for every message, a Buffer that is good until it returns. */
  constructor(port, path, headers, hear) {
    this.hear = hear;
    this.bytes = 0;
    this.gone = false;
    this.closing = false;
    this.rest = NOTHING;
    this.open = false;
    this.socket = net.connect({ port, host: "127.0.0.1", noDelay: true });
    this.socket.write(request(port, path, headers));
    this.socket.on("data", (data) => this.#take(data));
    this.socket.on("error", () => this.#end());
    this.socket.on("close", () => this.#end());
  }

  send(bytes) {
    this.socket.write(bytes);
  }

  close() {
    this.closing = true;
    this.socket.destroy();
  }

  #end() {
    this.gone = true;
    if (!this.closing) throw new Error("the server hung up");
  }

  #take(data) {
    this.bytes += data.length;
    const all = this.rest.length ? Buffer.concat([this.rest, data]) : data;
    let at = 0;
    if (!this.open) {
      const end = all.indexOf("\r\n\r\n");
      if (end < 0) return this.#keep(all, 0);
      if (all.toString("latin1", 9, 12) !== "101") throw new Error(all.toString("latin1", 0, 300));
      this.open = true;
      at = end + 4;
    }
    while (all.length - at >= 2) {
      let size = all[at + 1];
      let start = at + 2;
      if (size === 126) {
        if (all.length - at < 4) break;
        size = all.readUInt16BE(at + 2);
        start = at + 4;
      } else if (size === 127) {
        if (all.length - at < 10) break;
        size = Number(all.readBigUInt64BE(at + 2));
        start = at + 10;
      }
      if (start + size > all.length) break;
      this.#frame(all[at] & 15, all.subarray(start, start + size));
      at = start + size;
    }
    this.#keep(all, at);
  }

  #keep(all, at) {
    this.rest = at === all.length ? NOTHING : Buffer.from(all.subarray(at));
  }

  #frame(opcode, payload) {
    if (opcode === PING) this.send(frame(payload, PONG));
    else if (opcode === CLOSE) throw new Error(`the server closed with ${payload.readUInt16BE(0)}`);
    else if (opcode !== PONG) this.hear(payload);
  }
}
