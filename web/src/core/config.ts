// What the server tells every page about itself: which games it serves, how one may sign in.
import { useQuery } from "@tanstack/react-query";
import { api } from "./api";
import type { Config } from "./wire";

let loading: Promise<Config> | null = null;

export function loadConfig(): Promise<Config> {
  loading ??= api.get<Config>("/api/config", { anonymous: true }).catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

export function useConfig(): Config | undefined {
  return useQuery({
    queryKey: ["config"],
    queryFn: loadConfig,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;
}
