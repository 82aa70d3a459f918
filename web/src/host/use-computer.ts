// A table with the computer, asked for on a game's start page: as soon as there is a line, and for who is nobody yet
// as a guest.
import { useEffect, useState } from "react";
import { useLocation } from "wouter";
import { ApiError } from "@/core/api";
import { useConfig } from "@/core/config";
import { signInAsGuest, useSession } from "@/core/session";
import type { User } from "@/core/wire";
import { sayError } from "@/core/words";
import { toast } from "@/ui/toast";
import type { Play } from "./use-play";

/** What `Start` asks for; `name` is what a guest would like to be called. */
export function useComputer(game: string, play: Play, name = "") {
  const [, go] = useLocation();
  const nobody = useSession() === null;
  const welcome = useConfig()?.guests !== false;
  const [wanted, setWanted] = useState<string | null>(null);
  const open = play.status === "open";

  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, when there is a line to say it on
  useEffect(() => {
    if (wanted === null || nobody || !open) return;
    play.say({ type: "play_bot", game, bot: wanted });
    setWanted(null);
  }, [wanted, nobody, open]);

  const begin = (bot: string) => {
    if (nobody && !welcome) {
      go(`~/sign-in?next=${encodeURIComponent(window.location.pathname)}`);
      return;
    }
    setWanted(bot);
    if (!nobody) return;
    comeIn(name).then(
      ({ username }) => toast(`You are ${username}. Your name is yours to change, at the top.`),
      (error: unknown) => {
        setWanted(null);
        toast(sayError(error), "bad");
      },
    );
  };
  return { game, begin, disabled: wanted !== null };
}

/** Under that name, or if somebody has it under one made up for them. */
async function comeIn(name: string): Promise<User> {
  try {
    return await signInAsGuest(name);
  } catch (error) {
    const taken = error instanceof ApiError && (error.status === 409 || error.status === 400);
    if (!taken || name.trim() === "") throw error;
    return signInAsGuest("");
  }
}
