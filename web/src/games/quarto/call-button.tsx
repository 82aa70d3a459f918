// Quarto's own call, and how long a last line can still be called.
import { clsx } from "clsx";
import { Megaphone } from "lucide-react";
import { useServerNow } from "@/core/clock";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toast";

interface CallProps {
  enabled: boolean;
  /** One was advised to. */
  advised: boolean;
  call: () => void;
  /** The moment after which a last line can no longer be called. */
  until: number | null;
}

export function CallButton({ enabled, advised, call, until }: CallProps) {
  const now = useServerNow(250, until !== null);
  const seconds = until === null ? null : Math.max(0, Math.ceil((until - now) / 1000));
  return (
    <Button
      color="yellow"
      size="large"
      aria-disabled={!enabled}
      aria-keyshortcuts="q"
      className={clsx(
        "q-call min-w-0 flex-[1_1_7.5rem] px-3! max-wide:min-h-14 short:min-h-12",
        (advised || (seconds !== null && enabled)) && "glowing",
      )}
      onClick={() => (enabled ? call() : toast("Quarto! is called on your own turn."))}
    >
      <Megaphone aria-hidden="true" />
      Call Quarto!
      {seconds !== null && (
        <span role="timer" aria-label="Seconds left" className="tabular" data-testid="final-call">
          {seconds}
        </span>
      )}
    </Button>
  );
}
