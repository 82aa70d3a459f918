// People by the beginning of their name.
import { useQuery } from "@tanstack/react-query";
import { api } from "./api";
import type { Person } from "./wire";

/** `isFetched` tells nobody from nobody yet. */
export function usePeople(prefix: string, enabled: boolean) {
  return useQuery({
    queryKey: ["people", prefix],
    queryFn: ({ signal }) =>
      api.get<Person[]>(`/api/users/search?q=${encodeURIComponent(prefix)}`, { signal }),
    enabled,
    staleTime: 10_000,
  });
}
