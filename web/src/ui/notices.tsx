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
    <div className="pointer-events-none fixed inset-x-3 top-3 z-60 flex flex-col items-center gap-2">
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
        <p className="plastic plastic-yellow flex animate-pop-in items-center gap-3 px-5 py-3 text-base font-bold">
          <Unplug aria-hidden="true" className="size-5.5 shrink-0" />
          {offline
            ? "You are offline. We reconnect as soon as the line is back."
            : "Reconnecting. Your game is safe on the server."}
        </p>
      )}
    </div>
  );
}
