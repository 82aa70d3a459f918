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

/** Change what is held; if nothing is yet, what is being fetched may not know of the change. */
export function amend<T>(queries: QueryClient, queryKey: QueryKey, change: (held: T) => T): void {
  const held = queries.getQueryData<T>(queryKey);
  if (held === undefined) void refresh(queries, queryKey);
  else queries.setQueryData<T>(queryKey, change(held));
}
