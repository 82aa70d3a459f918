// What the page has to say from above: that the line is down, and short messages that come and go.
import { onlineManager } from "@tanstack/react-query";
import { Unplug } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { unreachable } from "@/core/api";
import { useStore } from "@/core/store";
import { reconnecting } from "@/core/use-live";
import { Toasts } from "./toast";

/** Shorter gaps mend themselves unnoticed. */
const SHORT_GAP_MS = 900;

export function Notices() {
  return (
    <div className="pointer-events-none fixed inset-x-3 top-1 z-60 grid min-h-13 place-items-center *:col-start-1 *:row-start-1">
      <Reconnecting />
      <Toasts />
    </div>
  );
}

function Reconnecting() {
  const offline = !useSyncExternalStore(onlineManager.subscribe, () => onlineManager.isOnline());
  const sockets = useStore(reconnecting) > 0;
  const requests = useStore(unreachable);
  const down = offline || sockets || requests;
  const [shown, setShown] = useState(false);

  useEffect(() => {
    if (!down) return setShown(false);
    const timer = setTimeout(() => setShown(true), SHORT_GAP_MS);
    return () => clearTimeout(timer);
  }, [down]);

  return (
    <div role="status">
      {shown && (
        <p className="plastic plastic-yellow flex animate-pop-in items-center gap-3 px-4 py-2.5 text-base leading-tight font-bold max-sm:gap-2 max-sm:px-3 max-sm:py-2 max-sm:text-sm max-sm:leading-tight">
          <Unplug aria-hidden="true" className="size-5.5 shrink-0" />
          {offline
            ? "You are offline. You are back as soon as the line is."
            : "Reconnecting. Your game is safe on the server."}
        </p>
      )}
    </div>
  );
}
