// A socket that stays: it signs in, notices silence, and comes back on its own with growing patience.
import { unreachable } from "./api";

/** `connecting` for the first time or again, `open`, or `closed` for good. */
export type LiveStatus = "connecting" | "open" | "closed";

export interface LiveOptions {
  /** Path on this server, such as `/ws/connect4/ABCD2345`. */
  path: string;
  /** Another host that serves it, such as `localhost:1999`. */
  host?: string | undefined;
  /** The token for the first message; null sends none. */
  token: () => Promise<string | null>;
  hear: (message: unknown) => void;
  /** `code` comes with `closed` when the server refused for good (4403, 4404, 4409 …). */
  status: (status: LiveStatus, code?: number) => void;
  /** The server did not take the token, or it came too late; another try follows. */
  doubted: () => void;
  /** After signing in, each time: where the conversation has to be taken up again. */
  opened?: (send: (message: unknown) => void) => void;
}

export interface Live {
  /** False when the socket is not open; nothing is kept for later. */
  send: (message: unknown) => boolean;
  close: () => void;
}

const FIRST_WAIT_MS = 400;
const LONGEST_WAIT_MS = 10_000;
/** After this much silence the server is asked for a sign of life, and given up on after the second. */
const SILENCE_MS = 15_000;
const PATIENCE_MS = 5_000;
const CONNECT_MS = 8_000;

/** The server has too much to do, or had too much from us: waited for as after so many failures. */
const BUSY = [1008, 1013];
const BUSY_FAILURES = 4;

/** No good token came in time: so it is, too, for a page that slept while it was signing in. */
const UNAUTHORIZED = 4401;
/** Codes from 4400 on say that trying again would be answered the same way. */
const isFinal = (code: number): boolean => code >= 4400 && code < 4500;

export function socketAddress(path: string, host = window.location.host): string {
  const { protocol } = window.location;
  return `${protocol === "https:" ? "wss:" : "ws:"}//${host}${path}`;
}

/** One that is just being opened is let open first: browsers complain of anything else. */
function hangUp(socket: WebSocket): void {
  if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close(1000);
  else socket.close(1000);
}

export function openLive(options: LiveOptions): Live {
  let socket: WebSocket | null = null;
  let over = false;
  let failures = 0;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let watch: ReturnType<typeof setTimeout> | undefined;

  function send(message: unknown): boolean {
    if (socket?.readyState !== WebSocket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function listenForLife(): void {
    clearTimeout(watch);
    watch = setTimeout(askForLife, SILENCE_MS);
  }

  function askForLife(): void {
    clearTimeout(watch);
    // A connection that died without a word never reports its own end in useful time.
    const mine = socket;
    watch = setTimeout(() => lost(mine), PATIENCE_MS);
    send({ type: "ping" });
  }

  async function connect(): Promise<void> {
    clearTimeout(retry);
    let token: string | null;
    try {
      token = await options.token();
    } catch {
      return tryLater();
    }
    if (over || socket !== null) return;
    const mine = new WebSocket(socketAddress(options.path, options.host));
    socket = mine;
    watch = setTimeout(() => lost(mine), CONNECT_MS);
    mine.onopen = () => {
      if (mine !== socket) return;
      if (token !== null) send({ type: "auth", token });
      options.opened?.(send);
      options.status("open");
      listenForLife();
    };
    mine.onmessage = (event) => {
      if (mine !== socket) return;
      failures = 0;
      listenForLife();
      options.hear(JSON.parse(String(event.data)));
    };
    mine.onclose = ({ code }) => {
      if (mine !== socket) return;
      if (BUSY.includes(code)) failures = Math.max(failures, BUSY_FAILURES);
      if (code !== UNAUTHORIZED || token === null) return lost(mine, code);
      lost(mine);
      options.doubted();
    };
  }

  function lost(which: WebSocket | null, code = 1006): void {
    if (over || which === null || which !== socket) return;
    clearTimeout(watch);
    socket = null;
    which.close();
    if (isFinal(code)) {
      finish(code);
    } else {
      options.status("connecting");
      tryLater();
    }
  }

  function tryLater(): void {
    if (over) return;
    clearTimeout(retry);
    const ceiling = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** failures);
    failures += 1;
    // Half fixed, half chance: a restarted server is not met by everyone at once.
    retry = setTimeout(connect, ceiling / 2 + (Math.random() * ceiling) / 2);
  }

  /** There is reason to think that the server can be reached again. */
  function hope(): void {
    if (socket !== null) return;
    failures = 0;
    void connect();
  }

  function wake(): void {
    if (document.visibilityState === "hidden") return;
    if (socket === null) hope();
    else askForLife();
  }

  function finish(code?: number): void {
    over = true;
    clearTimeout(retry);
    clearTimeout(watch);
    forget();
    window.removeEventListener("online", wake);
    document.removeEventListener("visibilitychange", wake);
    if (socket) hangUp(socket);
    socket = null;
    options.status("closed", code);
  }

  const forget = unreachable.subscribe(() => unreachable.get() || hope());
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  options.status("connecting");
  void connect();
  return { send, close: () => !over && finish() };
}
