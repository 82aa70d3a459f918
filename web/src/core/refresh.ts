// Asking again after news came, whatever is under way.
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/**
 * Fetch anew what is shown. A first answer that is still under way may be older than the news, and
 * would pass for fresh: it is given up.
 */
export async function refresh(queries: QueryClient, queryKey: QueryKey): Promise<void> {
  await queries.cancelQueries({ queryKey });
  await queries.invalidateQueries({ queryKey });
}

/** An answer that is under way as news comes may be older than the news: it is asked for again. */
function outrun(queries: QueryClient, queryKey: QueryKey): void {
  const state = queries.getQueryState(queryKey);
  if (state && state.fetchStatus !== "idle") void refresh(queries, queryKey);
}

/** Change what is held; where nothing is yet, the answer to come will know of the change. */
export function amend<T>(queries: QueryClient, queryKey: QueryKey, change: (held: T) => T): void {
  const held = queries.getQueryData<T>(queryKey);
  if (held === undefined) return void refresh(queries, queryKey);
  queries.setQueryData<T>(queryKey, change(held));
  outrun(queries, queryKey);
}

/** Hold what came, unless `newer` finds that what is held already is. Says which. */
export function hold<T>(
  queries: QueryClient,
  queryKey: QueryKey,
  come: T,
  newer: (held: T | undefined, come: T) => T,
): boolean {
  if (newer(queries.getQueryData<T>(queryKey), come) !== come) return false;
  queries.setQueryData<T>(queryKey, () => come);
  outrun(queries, queryKey);
  return true;
}
