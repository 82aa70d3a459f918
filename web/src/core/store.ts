// A value that components can watch, for what lives outside React: session, preferences, connections.
import { useSyncExternalStore } from "react";

export interface Store<T> {
  get: () => T;
  set: (next: T) => void;
  subscribe: (hear: () => void) => () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const hearers = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      if (Object.is(value, next)) return;
      value = next;
      for (const hear of [...hearers]) hear();
    },
    subscribe: (hear) => {
      hearers.add(hear);
      return () => hearers.delete(hear);
    },
  };
}

/** A store whose value outlives the page. What is kept is checked before it is believed. */
export function keptStore<T>(
  name: string,
  fallback: T,
  valid: (kept: unknown) => kept is T,
): Store<T> {
  const key = `parlour.${name}`;
  const read = (): T => {
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "null");
      return valid(kept) ? kept : fallback;
    } catch {
      return fallback;
    }
  };
  const store = createStore(read());
  const { set } = store;
  store.set = (next) => {
    try {
      if (next === null) localStorage.removeItem(key);
      else localStorage.setItem(key, JSON.stringify(next));
    } catch {
      // A browser that keeps nothing still plays; it only forgets.
    }
    set(next);
  };
  // Other tabs of the same browser follow.
  window.addEventListener("storage", (event) => {
    if (event.key === key) set(read());
  });
  return store;
}

export function useStore<T>(store: Store<T>): T {
  return useSyncExternalStore(store.subscribe, store.get);
}
