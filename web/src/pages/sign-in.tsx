// Signing in: one click as a guest, or with Google where the server has that set up.
import { DoorOpen, PencilLine } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Link, Redirect, useLocation, useSearch } from "wouter";
import { useConfig } from "@/core/config";
import { sessionEnded, signInAsGuest, signInWithGoogle, useSession } from "@/core/session";
import { useStore } from "@/core/store";
import { useTitle } from "@/core/title";
import { sayError } from "@/core/words";
import { nextPath } from "@/shell/signed-in";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";
import { Tray } from "@/ui/tray";
import { useInviter } from "./inviter";

export default function SignIn() {
  useTitle("Sign in");
  const next = nextPath(useSearch());
  const [, go] = useLocation();
  const session = useSession();
  const ended = useStore(sessionEnded);
  const config = useConfig();
  const inviter = useInviter(next);
  const [name, setName] = useState("");
  const [choosing, setChoosing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  if (session !== null && !busy) return <Redirect to={next} replace />;

  const attempt = async (signIn: () => Promise<unknown>) => {
    setBusy(true);
    setProblem(null);
    try {
      if ((await signIn()) !== false) return go(next, { replace: true });
    } catch (error) {
      setProblem(sayError(error));
    }
    setBusy(false);
  };
  const asGuest = (event: FormEvent) => {
    event.preventDefault();
    void attempt(() => signInAsGuest(name));
  };

  return (
    <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center px-4 pb-16">
      <Tray className="flex flex-col gap-6">
        <div>
          <h1 className="text-4xl leading-tight">Take a seat</h1>
          <p className="mt-1 min-h-7 text-lg text-soft">
            {ended
              ? "Your last session has ended. Sign in to play on."
              : (inviter ?? "One click, and you are in. We make up a name for you.")}
          </p>
        </div>
        {config?.guests !== false && (
          <form onSubmit={asGuest} className="flex flex-col gap-3">
            {choosing && (
              <Field
                label="Name"
                value={name}
                onChange={(event) => setName(event.target.value)}
                hint="3 to 20 letters, digits or underscores."
                problem={problem}
                maxLength={20}
                autoComplete="nickname"
                spellCheck={false}
                // Asked for just now.
                autoFocus
              />
            )}
            <Button type="submit" color="green" size="large" disabled={busy}>
              <DoorOpen aria-hidden="true" />
              Play as guest
            </Button>
            {!choosing && (
              <Button onClick={() => setChoosing(true)}>
                <PencilLine aria-hidden="true" />
                Choose a name first
              </Button>
            )}
            {!choosing && problem !== null && (
              <p role="alert" className="text-base font-bold text-text-red">
                {problem}
              </p>
            )}
            <p className="text-base text-soft">
              Guest accounts are stored in this browser only. Clearing browser data will lose your
              account and history.
            </p>
            <Link href="/recover" className="py-2 text-base font-bold text-text-blue underline">
              I have a code from another device
            </Link>
          </form>
        )}
        {config?.firebase && (
          <Button size="large" disabled={busy} onClick={() => void attempt(signInWithGoogle)}>
            <GoogleMark />
            Sign in with Google
          </Button>
        )}
      </Tray>
    </main>
  );
}

function GoogleMark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 24 24">
      <g fill="none" strokeWidth="4.200">
        <path d="M18.600 5.700A9 9 0 0 0 4.300 7.300" stroke="#ea4335" />
        <path d="M4.300 7.300a9 9 0 0 0-.1 9.100" stroke="#fbbc05" />
        <path d="M4.200 16.400a9 9 0 0 0 13.600 2.500" stroke="#34a853" />
        <path d="M12 12h8.900a9 9 0 0 1-3.100 6.900" stroke="#4285f4" />
      </g>
    </svg>
  );
}
