// Connect 4's requests to the server, one line each.
import { api } from "@/core/api";
import type {
  ClaimAnswer,
  Created,
  Game,
  GamePage,
  Joined,
  MoveAnswer,
  Queue,
  RematchAnswer,
} from "@/core/wire";

export const calls = {
  game: (publicId: string, signal?: AbortSignal) =>
    api.get<Game>(`/api/games/by-public/${encodeURIComponent(publicId)}`, signal ? { signal } : {}),
  create: () => api.post<Created>("/api/games"),
  join: (code: string) => api.post<Joined>(`/api/games/join/${encodeURIComponent(code)}`),
  cancel: (id: string) => api.delete<unknown>(`/api/games/${id}`),
  move: (id: string, column: number) => api.post<MoveAnswer>(`/api/games/${id}/move`, { column }),
  claim: (id: string) => api.post<ClaimAnswer>(`/api/games/${id}/claim-abandoned`),
  rematch: (id: string) => api.post<RematchAnswer>(`/api/games/${id}/rematch`),
  enterQueue: () => api.post<Queue>("/api/matchmaking/join"),
  queue: (signal: AbortSignal) => api.get<Queue>("/api/matchmaking/status", { signal }),
  leaveQueue: () => api.delete<Queue>("/api/matchmaking/leave", { keepalive: true }),
  /** The newest, or those before the one named. */
  played: (limit: number, before: string | null, signal: AbortSignal) =>
    api.get<GamePage>(
      `/api/users/me/games?limit=${limit}${before === null ? "" : `&before=${before}`}`,
      { signal },
    ),
};
