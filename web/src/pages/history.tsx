// The games you played, one list per game.
import { Suspense } from "react";
import { Link, useSearch } from "wouter";
import { useTitle } from "@/core/title";
import { games } from "@/games/registry";
import { SignedIn } from "@/shell/signed-in";
import { Button } from "@/ui/button";
import { Spinner } from "@/ui/spinner";
import { Tray } from "@/ui/tray";

const withHistory = games.filter((game) => game.History !== undefined);

export default function HistoryPage() {
  useTitle("Games you played");
  const wanted = new URLSearchParams(useSearch()).get("game");
  const chosen = withHistory.find((game) => game.key === wanted) ?? withHistory[0];
  return (
    <SignedIn>
      <main className="mx-auto w-full max-w-3xl flex-1 px-3 pt-4 pb-16 sm:px-6">
        <h1 className="mb-4 text-4xl leading-tight">Games you played</h1>
        {withHistory.length > 1 && (
          <nav aria-label="Game" className="mb-5 flex flex-wrap gap-2">
            {withHistory.map((game) => (
              <Button
                key={game.key}
                asChild
                size="small"
                color={game === chosen ? "blue" : "cream"}
              >
                <Link
                  href={`/history?game=${game.key}`}
                  aria-current={game === chosen ? "page" : undefined}
                >
                  {game.title}
                </Link>
              </Button>
            ))}
          </nav>
        )}
        <Tray className="min-h-120">
          <Suspense fallback={<Spinner label="Looking them up" />}>
            {chosen?.History && <chosen.History />}
          </Suspense>
        </Tray>
      </main>
    </SignedIn>
  );
}
