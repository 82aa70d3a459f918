// A code to read out, a link to send, a square to point a phone at: how a friend finds a table.
import { Check, Copy, Share2 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { encode } from "uqr";
import { announce } from "@/core/announce";
import { Button } from "./button";
import { toast } from "./toast";

interface InviteProps {
  code: string;
  link: string;
  /** What is played, for the message that goes with the link. */
  game: string;
}

export function Invite({ code, link, game }: InviteProps) {
  return (
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
          <ShareButton link={link} game={game} />
        </div>
      </div>
      <QrCode text={link} />
    </div>
  );
}

interface CopyProps {
  text: string;
  said: string;
  children: ReactNode;
}

export function CopyButton({ text, said, children }: CopyProps) {
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

function ShareButton({ link, game }: { link: string; game: string }) {
  if (typeof navigator.share !== "function") {
    return (
      <CopyButton text={link} said="Link copied.">
        Copy link
      </CopyButton>
    );
  }
  const share = () =>
    navigator
      .share({ title: game, text: `Play ${game} with me.`, url: link })
      // Closing the share sheet is no error.
      .catch(() => undefined);
  return (
    <Button color="blue" onClick={() => void share()}>
      <Share2 aria-hidden="true" />
      Send link
    </Button>
  );
}

export function QrCode({ text }: { text: string }) {
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
