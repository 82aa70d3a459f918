// Plays games of Connect 4 at one server, or sits there idle, and prints what that took as JSON.
//
//   node load.mjs PEER PORT SERVER_PID play GAMES SECONDS
//   node load.mjs PEER PORT SERVER_PID idle SOCKETS SECONDS
//
// A game is a closed loop: the next move is sent when both players have seen the one before. Games
// are played in rounds of one drawn game each. Opening them is not timed; the first round is not
// counted. Where PLAYERS names a program (players.c), that plays, and games are opened here.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { hangUp, speeches } from "./speech.mjs";
import { request, Socket } from "./wire.mjs";

const DRAWN = [..."662425102244532100465053454503166061113332"].map(Number);
const AT_ONCE = 16;
const TICKS_PER_SEC = 100;
const PAGE = 4096;

const [peer, port, pid, what, count, seconds] = process.argv.slice(2);
const speech = new speeches[peer]();
const MOVES = DRAWN.map((column) => speech.move(column));
const latencies = [];

/** Processor time that the server has used, user's and system's. */
function serverSec() {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SEC;
}

function serverBytes() {
  return Number(readFileSync(`/proc/${pid}/statm`, "utf8").split(" ")[1]) * PAGE;
}

class Table {
  constructor(number) {
    this.number = number;
    this.sockets = [];
    this.seen = 0;
    this.at = 0;
    this.began = 0;
    this.bytes = 0;
    this.awaited = "";
    this.done = () => {};
  }

  /** Both sockets are open, and a game is about to begin. */
  async prepare() {
    if (this.sockets.length && speech.lasting) {
      await this.#until("again", () => this.sockets[0].send(speech.again));
    } else {
      this.leave();
      // One after the other: who comes first begins.
      for (const { path, headers } of await speech.enter(Number(port), this.number)) {
        await new Promise((resolve) => {
          const socket = new Socket(Number(port), path, headers, (payload) => {
            const means = speech.means(payload);
            if (means === "in") {
              if (speech.ready) socket.send(speech.ready);
              resolve();
            } else if (means === this.awaited) this.#see();
          });
          this.sockets.push(socket);
        });
      }
    }
    this.bytes = -this.#received();
  }

  /** A whole game. */
  play() {
    this.at = 0;
    return this.#until("moved", () => this.#move()).then(() => {
      this.bytes += this.#received();
    });
  }

  leave() {
    for (const socket of this.sockets) socket.close();
    this.sockets = [];
  }

  #until(awaited, begin) {
    return new Promise((resolve) => {
      this.awaited = awaited;
      this.seen = 0;
      this.done = resolve;
      begin();
    });
  }

  #move() {
    this.seen = 0;
    this.began = performance.now();
    this.sockets[this.at % 2].send(MOVES[this.at]);
  }

  #see() {
    if (++this.seen < 2) return;
    if (this.awaited === "moved") {
      latencies.push(performance.now() - this.began);
      if (++this.at < DRAWN.length) return this.#move();
    }
    this.awaited = "";
    this.done();
  }

  #received() {
    return this.sockets.reduce((sum, socket) => sum + socket.bytes, 0);
  }
}

async function forAll(all, work) {
  const waiting = all.values();
  const some = async () => {
    for (const each of waiting) await work(each);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, some));
}

const prepareAll = (tables) => forAll(tables, (table) => table.prepare());

/** Rounds until they took long enough, put together; a round says what it took. */
async function inRounds(round) {
  const sum = { moves: 0, sec: 0, server_sec: 0, load_sec: 0, bytes: 0 };
  const until = performance.now() + 1000 * 3 * Number(seconds);
  let latencies = [];
  for (let number = 0; number < 2 || sum.sec < Number(seconds); number++) {
    const took = await round(number);
    if (number === 0) continue;
    for (const name in sum) sum[name] += took[name];
    latencies = latencies.concat(took.latencies_ms);
    if (performance.now() > until) break;
  }
  latencies.sort((a, b) => a - b);
  const part = (share) => latencies[Math.floor(share * (latencies.length - 1))];
  return {
    moves_per_sec: sum.moves / sum.sec,
    us_per_move: (1e6 * sum.server_sec) / sum.moves,
    p50_ms: part(0.5),
    p99_ms: part(0.99),
    bytes_per_move: sum.bytes / sum.moves,
    server_busy: sum.server_sec / sum.sec,
    load_busy: sum.load_sec / sum.sec,
    moves: sum.moves,
  };
}

function play(games) {
  const tables = Array.from({ length: games }, (_, number) => new Table(number));
  return inRounds(async () => {
    await prepareAll(tables);
    latencies.length = 0;
    const [began, server, own] = [performance.now(), serverSec(), process.cpuUsage()];
    await Promise.all(tables.map((table) => table.play()));
    const used = process.cpuUsage(own);
    return {
      moves: games * DRAWN.length,
      sec: (performance.now() - began) / 1000,
      server_sec: serverSec() - server,
      load_sec: (used.user + used.system) / 1e6,
      bytes: tables.reduce((sum, table) => sum + table.bytes, 0),
      latencies_ms: [...latencies],
    };
  });
}

/** The same by another program, which is told what to say and what to wait for. */
function playBy(players, games) {
  const hex = (bytes) => Buffer.from(bytes).toString("hex");
  const head = [
    speech.ready ? hex(speech.ready) : "-",
    hex(speech.in),
    speech.moved.map(hex).join(" "),
    MOVES.map(hex).join(" "),
  ];
  return inRounds(async (round) => {
    const doors = [];
    await forAll([...Array(games).keys()], async (number) => {
      const both = await speech.enter(Number(port), number, round);
      doors[number] = both.map(({ path, headers }) => hex(request(port, path, headers)));
    });
    hangUp();
    const input = `${[...head, ...doors.flat()].join("\n")}\n`;
    const ran = spawnSync(players, [port, pid], { input, maxBuffer: 1 << 28, encoding: "utf8" });
    if (ran.status !== 0) throw new Error(ran.stderr);
    return JSON.parse(ran.stdout);
  });
}

async function idle(sockets) {
  const tables = Array.from({ length: sockets / 2 }, (_, number) => new Table(number));
  // Rooms are part of the weight of a socket that sits in one; players known before are not.
  await prepareAll(tables.slice(0, 20));
  const before = serverBytes();
  await prepareAll(tables.slice(20));
  await sleep(3000);
  const [began, server] = [performance.now(), serverSec()];
  await sleep(1000 * Number(seconds));
  return {
    kb_per_socket: (serverBytes() - before) / 1024 / (sockets - 40),
    idle_busy: (serverSec() - server) / ((performance.now() - began) / 1000),
  };
}

const { PLAYERS } = process.env;
const plays = PLAYERS ? (games) => playBy(PLAYERS, games) : play;
const measured = await (what === "play" ? plays : idle)(Number(count));
console.log(JSON.stringify(measured));
process.exit(0);
