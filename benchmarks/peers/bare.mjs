// The least that a game server can be: `ws`, a map of rooms, JSON. PORT says where it listens.

import { WebSocketServer } from "ws";
import { Board } from "./connect4.mjs";

const rooms = new Map();
const server = new WebSocketServer({
  host: "127.0.0.1",
  port: Number(process.env.PORT),
  perMessageDeflate: false,
});

server.on("connection", (socket, request) => {
  const name = request.url;
  if (!rooms.has(name)) rooms.set(name, { board: new Board(), sockets: [] });
  const room = rooms.get(name);
  const seat = room.sockets.push(socket) - 1;
  const tell = () => {
    const told = JSON.stringify(room.board.shown());
    for (const each of room.sockets) each.send(told);
  };
  socket.send("{}");
  socket.on("message", (data) => {
    const said = JSON.parse(data);
    if (said.again) room.board.reset();
    else if (!room.board.drop(seat, said.column)) return socket.send('{"error":"illegal"}');
    tell();
  });
  socket.on("close", () => rooms.delete(name));
});
