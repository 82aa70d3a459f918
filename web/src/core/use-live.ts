// A live socket for as long as a component is there, counted for the reconnecting banner.
import { useEffect, useRef, useState } from "react";
import { type Live, type LiveStatus, openLive } from "./live";
import { checkSession, currentToken } from "./session";
import { createStore } from "./store";

/** How many sockets that were open are trying to come back. */
export const reconnecting = createStore(0);

export interface UseLive {
  /** Null: no socket wanted now. */
  path: string | null;
  /** Where it is served, if not where the page is. */
  host?: string | undefined;
  hear: (message: unknown) => void;
  opened?: (send: (message: unknown) => void) => void;
  /** The server closed for good, with a code from 4400 on. */
  refused?: (code: number) => void;
}

export function useLive({ path, host, hear, opened, refused }: UseLive) {
  const [status, setStatus] = useState<LiveStatus>("connecting");
  const live = useRef<Live | null>(null);
  // The socket outlives renders; it always speaks to the newest handlers.
  const handlers = useRef({ hear, opened, refused });
  handlers.current = { hear, opened, refused };

  useEffect(() => {
    if (path === null) return;
    let wasOpen = false;
    let counted = false;
    const count = (missing: boolean) => {
      if (missing === counted) return;
      counted = missing;
      reconnecting.set(reconnecting.get() + (missing ? 1 : -1));
    };
    live.current = openLive({
      path,
      host,
      token: currentToken,
      hear: (message) => handlers.current.hear(message),
      doubted: checkSession,
      opened: (send) => handlers.current.opened?.(send),
      status: (next, code) => {
        wasOpen ||= next === "open";
        count(wasOpen && next === "connecting");
        setStatus(next);
        if (code !== undefined) handlers.current.refused?.(code);
      },
    });
    return () => {
      live.current?.close();
      live.current = null;
    };
  }, [path, host]);

  return { status, send: (message: unknown) => live.current?.send(message) ?? false };
}
