// The app: what every page stands in, and which address shows which page.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { Suspense, useEffect, useRef } from "react";
import { Route, Switch, useLocation } from "wouter";
import { askAgainAfterMs, mayAskAgain } from "@/core/again";
import { Announcer } from "@/core/announce";
import { type Piece, piece } from "@/core/piece";
import { session } from "@/core/session";
import { games } from "@/games/registry";
import Lobby from "@/pages/lobby";
import { NotFound, Safe } from "@/pages/lost";
import { Header } from "@/shell/header";
import { Rail } from "@/shell/nav";
import { Notices } from "@/ui/notices";
import { Spinner } from "@/ui/spinner";
import { Tip } from "@/ui/tooltip";

const pages: Record<string, Piece> = {
  "/sign-in": piece(() => import("@/pages/sign-in")),
  "/recover": piece(() => import("@/pages/recover")),
  "/history": piece(() => import("@/pages/history")),
  "/wallet": piece(() => import("@/pages/wallet")),
};

/** What is shown at an address, unless it is there from the start. */
export function pageAt(path: string): Piece | undefined {
  const game = games.find(({ route }) => path === route || path.startsWith(`${route}/`));
  return game?.Page ?? pages[path];
}

const queries = new QueryClient({
  defaultOptions: { queries: { retry: mayAskAgain, retryDelay: askAgainAfterMs } },
});

// What one user was told is not shown to the next.
session.subscribe(() => void queries.resetQueries());

export function App() {
  return (
    <QueryClientProvider client={queries}>
      <Header />
      <div className="flex flex-1">
        <Rail />
        <div className="flex min-w-0 flex-1 flex-col">
          <Pages />
        </div>
      </div>
      <Notices />
      <Announcer />
      <Tip />
    </QueryClientProvider>
  );
}

function Pages() {
  const [path] = useLocation();
  useScrollToTop(path);
  return (
    <Safe path={path}>
      <Suspense fallback={<Spinner label="Setting up the table" />}>
        <Switch>
          <Route path="/" component={Lobby} />
          {Object.entries(pages).map(([path, Page]) => (
            <Route key={path} path={path} component={Page} />
          ))}
          {games.map(
            ({ key, route, Page }) =>
              Page && (
                <Route key={key} path={route} nest>
                  <Page />
                </Route>
              ),
          )}
          <Route component={NotFound} />
        </Switch>
      </Suspense>
    </Safe>
  );
}

function useScrollToTop(path: string): void {
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== path) window.scrollTo(0, 0);
    before.current = path;
  }, [path]);
}
