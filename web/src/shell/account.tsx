// The user's own corner: name, rating in the game at hand, history, and the way out.
import { History, LogOut, PencilLine, Smartphone } from "lucide-react";
import { type FormEvent, lazy, Suspense, useState } from "react";
import { Link, useLocation } from "wouter";
import { useMe, useRename } from "@/core/me";
import { signOut, useSession } from "@/core/session";
import { useStanding } from "@/core/standing";
import type { LeaderboardEntry, User } from "@/core/wire";
import { sayError } from "@/core/words";
import type { Game } from "@/games/game";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { Field } from "@/ui/field";
import { Menu, MenuGap, MenuItem } from "@/ui/menu";
import { toast } from "@/ui/toast";
import { useGameAtHand } from "./at-hand";

const RecoveryDialog = lazy(() => import("./recovery-dialog"));

export function Account() {
  const session = useSession();
  const me = useMe();
  const game = useGameAtHand();
  const standing = useStanding(game?.key ?? null);
  const [, go] = useLocation();
  const [asking, setAsking] = useState<"rename" | "recovery" | "sign-out" | null>(null);
  if (session === null) {
    return (
      <Button asChild color="blue" size="small">
        <Link href="/sign-in">Sign in</Link>
      </Button>
    );
  }
  // The same room as the finished button takes, so that nothing jumps when the name arrives.
  if (!me) return <span className="plastic h-11 w-12 sm:w-44" aria-hidden="true" />;
  return (
    <>
      <Menu
        className="w-68"
        trigger={
          <Button size="small" className="max-w-62 justify-start gap-2! px-2! py-1!">
            <Avatar name={me.username} className="size-8! shrink-0" />
            <span className="truncate max-sm:sr-only">{me.username}</span>
            <span className="sr-only">
              , your account{standing && `, rating in ${game?.title}`}
            </span>
            {standing && (
              <span className="tabular text-text-gold max-sm:sr-only">{standing.elo}</span>
            )}
          </Button>
        }
      >
        <Card me={me} game={game} standing={standing} />
        <MenuGap />
        <MenuItem onSelect={() => go("/history")}>
          <History aria-hidden="true" /> Games you played
        </MenuItem>
        <MenuItem onSelect={() => setAsking("rename")}>
          <PencilLine aria-hidden="true" /> Change your name
        </MenuItem>
        {me.isGuest && (
          <MenuItem onSelect={() => setAsking("recovery")}>
            <Smartphone aria-hidden="true" /> Play on another device
          </MenuItem>
        )}
        <MenuItem onSelect={() => (me.isGuest ? setAsking("sign-out") : void signOut())}>
          <LogOut aria-hidden="true" /> Sign out
        </MenuItem>
      </Menu>
      <Rename me={me} open={asking === "rename"} close={() => setAsking(null)} />
      {asking === "recovery" && (
        <Suspense>
          <RecoveryDialog close={() => setAsking(null)} />
        </Suspense>
      )}
      <Dialog
        open={asking === "sign-out"}
        onClose={() => setAsking(null)}
        title="Leave this guest account?"
        description="It lives in this browser only. Without a code for another device nobody can get back into it after signing out, and its games and rating are gone for you."
      >
        <div className="flex flex-col gap-3 sm:flex-row-reverse">
          <Button color="red" className="flex-1" onClick={() => void signOut()}>
            Sign out for good
          </Button>
          <Button className="flex-1" onClick={() => setAsking(null)}>
            Stay
          </Button>
        </div>
      </Dialog>
    </>
  );
}

interface CardProps {
  me: User;
  /** The one at hand, and how one stands in it. */
  game: Game | null;
  standing: LeaderboardEntry | null;
}

function Card({ me, game, standing }: CardProps) {
  return (
    <div className="flex items-center gap-3 px-3 py-2">
      <Avatar name={me.username} className="size-12 shrink-0" />
      <div className="min-w-0">
        <p className="text-display truncate text-lg leading-tight">{me.username}</p>
        <p className="text-sm font-bold text-soft">{me.isGuest ? "Guest" : "Google account"}</p>
        {game && (
          <p className="text-sm font-bold text-soft tabular">
            {game.title}: {standing ? `rating ${standing.elo}` : "not rated yet"}
          </p>
        )}
        {standing && (
          <p className="text-sm font-bold text-soft tabular">
            {standing.wins} won · {standing.losses} lost · {standing.draws} drawn
          </p>
        )}
      </div>
    </div>
  );
}

function Rename({ me, open, close }: { me: User; open: boolean; close: () => void }) {
  const rename = useRename();
  const [name, setName] = useState(me.username);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(name.trim(), {
      onSuccess: (user) => {
        toast(`You are ${user.username} now.`, "good");
        close();
      },
    });
  };
  const leave = () => {
    rename.reset();
    setName(me.username);
    close();
  };
  return (
    <Dialog open={open} onClose={leave} title="Change your name">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <Field
          label="Name"
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint="3 to 20 letters, digits or underscores."
          problem={rename.error ? sayError(rename.error) : null}
          maxLength={20}
          autoComplete="nickname"
          spellCheck={false}
        />
        <Button
          type="submit"
          color="green"
          disabled={rename.isPending || name.trim() === me.username}
        >
          Save name
        </Button>
      </form>
    </Dialog>
  );
}
