// What the server says of a game: who the computer can be, and whether it counts.
import { useQuery } from "@tanstack/react-query";
import { api } from "./api";
import type { PlayedHere } from "./wire";

export function usePlayedHere(game: string): PlayedHere | undefined {
  const { data } = useQuery({
    queryKey: ["play", "games"],
    queryFn: ({ signal }) => api.get<PlayedHere[]>("/api/play/games", { signal, anonymous: true }),
    // It changes with the server, and then the page does.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.find(({ key }) => key === game);
}
