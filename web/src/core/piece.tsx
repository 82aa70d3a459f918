// A part of the app whose code is fetched when it is wanted. What is there already is shown at once: React keeps the
// place of what it only knows as lazy empty for a third of a second, however quickly that has come.
import { type ComponentType, lazy, type ReactNode, useState } from "react";

export interface Piece<P = object> {
  (props: P): ReactNode;
  /** Fetch it, so that it is there when it is shown; who shows one that did not come is told. */
  load: () => Promise<void>;
}

export function piece<P extends object>(
  fetch: () => Promise<{ default: ComponentType<P> }>,
): Piece<P> {
  let there: ComponentType<P> | null = null;
  const load = async () => {
    const fetched = await fetch();
    there = fetched.default;
    return fetched;
  };
  const Lazy = lazy(load);

  function Part(props: P) {
    // The same as long as it is seen: another one would begin anew.
    const [Shown] = useState<ComponentType<P>>(() => there ?? Lazy);
    return <Shown {...props} />;
  }
  Part.load = () => load().then(nothing, nothing);
  return Part;
}

function nothing(): void {}
