// A friend's link: takes the seat at once and goes to the game.
import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, useLocation } from "wouter";
import { ApiError } from "@/core/api";
import { useTitle } from "@/core/title";
import { sayError } from "@/core/words";
import { Lost } from "@/pages/lost";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";
import { calls, gameToFinish } from "./calls";
import { useOpenGame } from "./open-game";

export function Invitation({ code }: { code: string }) {
  useTitle("Joining your friend");
  const [, go] = useLocation();
  const open = useOpenGame();
  const join = useMutation({
    mutationFn: calls.join,
    onSuccess: ({ publicId }) => go(`/game/${publicId}`, { replace: true }),
  });

  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    join.mutate(code);
  }, [code, join.mutate]);

  // The link of a game one already sits in leads there.
  const inIt = join.error instanceof ApiError && join.error.code === "CANNOT_JOIN_OWN_GAME";
  useEffect(() => {
    if (inIt && open) go(`~${open.href}`, { replace: true });
  }, [inIt, open, go]);

  const unfinished = gameToFinish(join.error);
  const resume = unfinished === null ? open?.href : `/connect4/game/${unfinished}`;
  if (!join.error || (inIt && open)) {
    return (
      <main className="flex flex-1 flex-col justify-center">
        <Spinner label="Taking your seat" />
      </main>
    );
  }
  return (
    <Lost
      title="This seat is not free"
      actions={
        resume ? (
          <Button asChild color="yellow" className="flex-1">
            <Link href={`~${resume}`}>Resume your game</Link>
          </Button>
        ) : (
          <Button color="green" className="flex-1" onClick={() => join.mutate(code)}>
            Try again
          </Button>
        )
      }
    >
      {sayError(join.error)}
    </Lost>
  );
}
