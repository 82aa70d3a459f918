// Waiting for a friend, and how they find the way.
import type { ReactNode } from "react";
import { useTitle } from "@/core/title";
import { Button } from "@/ui/button";
import { Invite } from "@/ui/invite";
import { Tray } from "@/ui/tray";

interface WaitingRoomProps {
  /** The game's. */
  title: string;
  /** Beside the words: what is played with. */
  picture: ReactNode;
  code: string;
  /** The path that leads here. */
  path: string;
  cancel: () => void;
  /** "Close this table" */
  cancelLabel: string;
  cancelling?: boolean;
}

export function WaitingRoom(props: WaitingRoomProps) {
  const { title, picture, code, path, cancel, cancelLabel, cancelling = false } = props;
  useTitle("Waiting for your friend");
  return (
    <main className="mx-auto flex w-full max-w-4xl flex-1 flex-col justify-center px-4 pt-2 pb-12">
      <Tray className="flex flex-col gap-6">
        <div className="flex items-center gap-4">
          {picture}
          <div>
            <h1 className="text-3xl leading-tight sm:text-4xl">Waiting for your friend</h1>
            <p className="text-lg text-soft">The game begins as soon as they sit down.</p>
          </div>
        </div>
        <Invite code={code} link={`${window.location.origin}${path}`} game={title} />
        <Button disabled={cancelling} onClick={cancel}>
          {cancelLabel}
        </Button>
      </Tray>
    </main>
  );
}
