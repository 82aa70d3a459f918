// The signed-in user, as the server knows them.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api";
import { useSession } from "./session";
import type { User } from "./wire";

export const ME = ["me"] as const;

const ASKED = {
  queryKey: ME,
  queryFn: ({ signal }: { signal: AbortSignal }) => api.get<User>("/api/users/me", { signal }),
  staleTime: 30_000,
};

export function useMe(): User | undefined {
  const signedIn = useSession() !== null;
  return useQuery({ ...ASKED, enabled: signedIn }).data;
}

/** The same once it is known; undefined: nobody is signed in. */
export function useAskMe(): () => Promise<User | undefined> {
  const signedIn = useSession() !== null;
  const queries = useQueryClient();
  return async () => (signedIn ? queries.ensureQueryData(ASKED) : undefined);
}

export function useRename() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => api.put<User>("/api/users/me", { username }),
    onSuccess: (user) => queries.setQueryData(ME, user),
  });
}
