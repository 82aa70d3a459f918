// The signed-in user, as the server knows them.
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "./api";
import { useSession } from "./session";
import type { User } from "./wire";

export const ME = ["me"] as const;

export function useMe(): User | undefined {
  const signedIn = useSession() !== null;
  return useQuery({
    queryKey: ME,
    queryFn: ({ signal }) => api.get<User>("/api/users/me", { signal }),
    enabled: signedIn,
    staleTime: 30_000,
  }).data;
}

export function useRename() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (username: string) => api.put<User>("/api/users/me", { username }),
    onSuccess: (user) => queries.setQueryData(ME, user),
  });
}
