// A socket whose other end is the test: it opens, speaks and breaks when told to.
import { vi } from "vitest";

export class TestSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  static all: TestSocket[] = [];
  /** Whether the other end is alive enough to answer pings. */
  static answersPings = false;

  readonly url: string;
  readyState = TestSocket.CONNECTING;
  sent: unknown[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor(url: string) {
    this.url = url;
    TestSocket.all.push(this);
  }

  static get last(): TestSocket {
    const socket = TestSocket.all.at(-1);
    if (!socket) throw new Error("no socket was opened");
    return socket;
  }

  /** Takes the place of the browser's, until mocks are restored. */
  static install({ answersPings = false } = {}): void {
    TestSocket.all = [];
    TestSocket.answersPings = answersPings;
    vi.stubGlobal("WebSocket", TestSocket);
  }

  send(text: string): void {
    const message = JSON.parse(text);
    this.sent.push(message);
    if (TestSocket.answersPings && message.type === "ping") this.say({ type: "pong" });
  }

  close(): void {
    this.readyState = TestSocket.CLOSED;
  }

  open(): void {
    this.readyState = TestSocket.OPEN;
    this.onopen?.();
  }

  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }

  break(code = 1006): void {
    this.readyState = TestSocket.CLOSED;
    this.onclose?.({ code });
  }
}
