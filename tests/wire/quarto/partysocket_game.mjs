// Two of the published client `partysocket` play a whole game through a line that is cut once in the middle.
// Arguments: the port of the server, the address of the library, the room, and whether a client that
// comes back says `RECONNECT` or nothing. Prints what was seen, as JSON.
import net from "node:net";

const [port, library, ROOM, wordsOnReturn] = process.argv.slice(2);
const { default: PartySocket } = await import(library);

const LINE = [8, 9, 10, 11];
const CUT_AFTER_STEPS = 4;
const seen = { reconnected: [], errors: [], cuts: 0 };

/** Passes everything on, until it is cut without a word to either end. */
function openLine() {
  const ends = new Set();
  const line = net.createServer((near) => {
    const far = net.connect(Number(port), "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      ends.add(one);
      one.on("error", () => undefined);
      one.on("close", () => other.destroy());
      one.pipe(other);
    }
  });
  const cut = () => {
    seen.cuts += 1;
    for (const end of ends) end.destroy();
    ends.clear();
  };
  return new Promise((ready) => line.listen(0, "127.0.0.1", () => ready({ line, cut })));
}

const { line, cut } = await openLine();

function player(seat, firstWords, told) {
  const socket = new PartySocket({
    host: `127.0.0.1:${line.address().port}`,
    room: ROOM,
    minReconnectionDelay: 50,
  });
  const say = (message) => socket.send(JSON.stringify(message));
  let playerId = null;
  let doneSteps = -1;

  socket.addEventListener("open", () => {
    doneSteps = -1;
    if (playerId === null) say(firstWords);
    else if (wordsOnReturn === "RECONNECT") say({ type: "RECONNECT", playerId });
  });
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(data);
    if (message.type === "ROOM_CREATED" || message.type === "ROOM_JOINED") {
      if (playerId !== null) seen.reconnected.push(seat);
      playerId = message.playerId;
    }
    if (message.type === "ERROR") seen.errors.push(message.code);
    if (message.type === "STATE_UPDATE") act(message.game);
    told(message);
  });

  function act(game) {
    const steps = game.history.length;
    if (game.status !== "playing" || game.currentTurn !== seat || doneSteps === steps) return;
    doneSteps = steps;
    if (steps === CUT_AFTER_STEPS && seen.cuts === 0) return cut();
    const placed = game.board.positions.filter((piece) => piece !== null).length;
    if (placed === LINE.length) say({ type: "CALL_QUARTO" });
    else if (game.phase === "placing") say({ type: "PLACE_PIECE", position: placed });
    else say({ type: "SELECT_PIECE", pieceId: LINE[placed] });
  }
  return socket;
}

const sockets = [];
const ended = [];
function told(message) {
  if (message.type === "ROOM_CREATED" && sockets.length === 1) {
    sockets.push(player(1, { type: "JOIN_ROOM", playerName: "Bob" }, told));
  }
  if (message.type === "GAME_OVER") ended.push(message);
  if (ended.length < 2) return;
  process.stdout.write(JSON.stringify({ ...seen, over: ended.map(({ game }) => game) }));
  for (const socket of sockets) socket.close();
  line.close();
}
sockets.push(player(0, { type: "CREATE_ROOM", playerName: "Ann" }, told));
