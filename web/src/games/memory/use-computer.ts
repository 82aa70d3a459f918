// A game against a computer of one's choice: begun at the host, played on the document's line.
import { useState } from "react";
import { useLive } from "@/core/use-live";
import type { PlayHeard, PlaySaid } from "@/core/wire";
import { toast } from "@/ui/toast";

export function useComputer(begun: () => void) {
  const [wanted, setWanted] = useState<string | null>(null);
  const hear = (message: PlayHeard) => {
    if (message.type === "table") begun();
    if (message.type !== "error") return;
    toast(message.message, "bad");
    setWanted(null);
  };
  useLive({
    path: wanted === null ? null : "/ws/play",
    opened: (send) =>
      send({ type: "play_bot", game: "memory", bot: wanted ?? "" } satisfies PlaySaid),
    hear: (message) => hear(message as PlayHeard),
  });
  return { play: setWanted, asking: wanted !== null };
}
