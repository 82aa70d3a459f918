// Back to a guest's account, by the code it made on another device.
import { KeyRound } from "lucide-react";
import { type FormEvent, useEffect, useState } from "react";
import { useLocation } from "wouter";
import { useMe } from "@/core/me";
import { comeBack } from "@/core/session";
import { useTitle } from "@/core/title";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { toast } from "@/ui/toast";
import { Tray } from "@/ui/tray";

/** A link brings the code after the #; it is taken out of the address, so that it stays in no history. */
function useCodeInLink(): string {
  const [code] = useState(() => window.location.hash.slice(1, 100));
  useEffect(() => {
    if (window.location.hash !== "") window.history.replaceState(null, "", "/recover");
  }, []);
  return code;
}

export default function Recover() {
  useTitle("Come back");
  const me = useMe();
  const [, go] = useLocation();
  const [code, setCode] = useState(useCodeInLink());
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    try {
      const { username } = await comeBack(code);
      toast(`Welcome back, ${username}.`, "good");
      go("/", { replace: true });
    } catch (error) {
      setProblem(sayError(error));
      setBusy(false);
    }
  };
  return (
    <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-4 pb-16">
      <Tray className="flex flex-col gap-5">
        <div>
          <h1 className="text-4xl leading-tight">Welcome back</h1>
          <p className="mt-1 text-lg text-soft">
            Your code from the other device opens your account here, with its games and rating.
          </p>
        </div>
        <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-3">
          <Field
            label="Code"
            value={code}
            onChange={(event) => setCode(event.target.value)}
            hint="Twenty letters and digits, such as K7QF-2M4T-9XWB-H3EP-RVA6."
            problem={problem}
            maxLength={40}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
          />
          {me && (
            <p className="text-base font-bold text-text-gold">
              This device plays as {me.username} now.{" "}
              {me.isGuest && "Make a code for that account first if you want to keep it."}
            </p>
          )}
          <Button
            type="submit"
            color="green"
            size="large"
            disabled={busy || code.replace(/[\s-]/g, "").length < 20}
          >
            <KeyRound aria-hidden="true" /> Come back
          </Button>
        </form>
      </Tray>
    </main>
  );
}
