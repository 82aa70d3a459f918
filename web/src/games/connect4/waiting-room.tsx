// Waiting for a friend: the code to read out, a link to send, a square to point a phone at.
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Check, Copy, Share2 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { encode } from "uqr";
import { useLocation } from "wouter";
import { announce } from "@/core/announce";
import { useTitle } from "@/core/title";
import type { Game } from "@/core/wire";
import { sayError } from "@/core/words";
import { Button } from "@/ui/button";
import { toast } from "@/ui/toast";
import { Tray } from "@/ui/tray";
import { calls } from "./calls";
import { Chip } from "./chip";
import { ACTIVE_GAME } from "./open-game";

export function WaitingRoom({ game }: { game: Game }) {
  useTitle("Waiting for your friend");
  const [, go] = useLocation();
  const queries = useQueryClient();
  const code = game.code ?? "";
  const link = `${window.location.origin}/connect4/join/${code}`;
  const cancel = useMutation({
    mutationFn: () => calls.cancel(game.id),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ACTIVE_GAME });
      go("/");
    },
    onError: (error) => toast(sayError(error), "bad"),
  });
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col justify-center px-4 pt-2 pb-12">
      <Tray className="flex flex-col gap-6">
        <div className="flex items-center gap-4">
          <span aria-hidden="true" className="flex shrink-0">
            <Chip side="red" className="size-14" />
            <Chip side="yellow" className="-ml-3 size-14 opacity-35 grayscale" />
          </span>
          <div>
            <h1 className="text-3xl leading-tight sm:text-4xl">Waiting for your friend</h1>
            <p className="text-lg text-soft">The game begins as soon as they sit down.</p>
          </div>
        </div>
        <div className="grid items-center gap-6 md:grid-cols-[1fr_auto]">
          <div className="flex flex-col gap-4">
            <p className="well px-4 py-4 text-center">
              <span className="block text-base font-bold text-soft">Code</span>
              <span
                className="text-display text-5xl tracking-[0.12em] break-all sm:text-6xl"
                data-testid="code"
              >
                {code}
              </span>
            </p>
            <div className="grid gap-3 sm:grid-cols-2">
              <CopyButton text={code} said="Code copied.">
                Copy code
              </CopyButton>
              <ShareButton link={link} />
            </div>
          </div>
          <QrCode text={link} />
        </div>
        <Button disabled={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel this game
        </Button>
      </Tray>
    </main>
  );
}

interface CopyProps {
  text: string;
  said: string;
  children: ReactNode;
}

function CopyButton({ text, said, children }: CopyProps) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    if (!(await copied(text)))
      return toast("Copying is blocked here. Select and copy it by hand.", "bad");
    setDone(true);
    announce(said);
    setTimeout(() => setDone(false), 2000);
  };
  return (
    <Button color="blue" onClick={() => void copy()}>
      {done ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {done ? "Copied" : children}
    </Button>
  );
}

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function ShareButton({ link }: { link: string }) {
  if (typeof navigator.share !== "function") {
    return (
      <CopyButton text={link} said="Link copied.">
        Copy link
      </CopyButton>
    );
  }
  const share = () =>
    navigator
      .share({ title: "Connect 4", text: "Play Connect 4 with me.", url: link })
      // Closing the share sheet is no error.
      .catch(() => undefined);
  return (
    <Button color="blue" onClick={() => void share()}>
      <Share2 aria-hidden="true" />
      Send link
    </Button>
  );
}

function QrCode({ text }: { text: string }) {
  const { path, size } = useMemo(() => {
    const { data, size } = encode(text, { ecc: "M", border: 2 });
    const squares = data.flatMap((row, y) =>
      row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : "")),
    );
    return { path: squares.join(""), size };
  }, [text]);
  return (
    <figure className="mx-auto flex flex-col items-center gap-2">
      <svg
        role="img"
        aria-label="QR code of the link"
        viewBox={`0 0 ${size} ${size}`}
        className="w-48 rounded-2xl bg-white shadow-[inset_0_0_0_1px_rgb(0_0_0/0.08),2px_5px_10px_rgb(var(--shadow-color)/0.3)] md:w-56"
      >
        <path d={path} fill="#10142a" shapeRendering="crispEdges" />
      </svg>
      <figcaption className="text-base font-bold text-soft">Or point a phone at it</figcaption>
    </figure>
  );
}
