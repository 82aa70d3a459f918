// How a guest goes on playing on another device: a code and a square to point a phone at, told once.
import { useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { newRecoveryCode } from "@/core/session";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { CopyButton, QrCode } from "@/ui/invite";

export default function RecoveryDialog({ close }: { close: () => void }) {
  const make = useMutation({ mutationFn: newRecoveryCode });
  const code = make.data;
  return (
    <Dialog
      open
      onClose={close}
      title="Play on another device"
      description={
        code === undefined
          ? "A code brings you back to this account, with your games and rating, on any device. Keep it safe: whoever has it can be you."
          : "Shown only now, and good for one return. Point a phone at it, or write the code down."
      }
      className="sm:w-[min(36rem,92vw)]!"
    >
      {code === undefined ? (
        <>
          <p className="min-h-6 text-base text-soft">
            {make.error ? (
              <span role="alert" className="font-bold text-text-red">
                {sayError(make.error)}
              </span>
            ) : (
              "A code that you made before stops working."
            )}
          </p>
          <Button
            color="green"
            size="large"
            disabled={make.isPending}
            onClick={() => make.mutate()}
          >
            <KeyRound aria-hidden="true" /> Make a code
          </Button>
        </>
      ) : (
        <>
          <QrCode text={linkTo(code)} />
          <p className="well px-3 py-3 text-center">
            <span className="block text-base font-bold text-soft">Code</span>
            <span
              className="text-display text-2xl tracking-wide break-words sm:text-3xl"
              data-testid="recovery-code"
            >
              {code}
            </span>
          </p>
          <CopyButton text={code} said="Code copied.">
            Copy code
          </CopyButton>
        </>
      )}
    </Dialog>
  );
}

/** After the #, which browsers keep to themselves: the code is in no log and in no history of a server. */
const linkTo = (code: string): string => `${window.location.origin}/recover#${code}`;
