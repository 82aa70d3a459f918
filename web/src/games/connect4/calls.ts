// Connect 4's requests to the server, one line each.
import { ApiError, api } from "@/core/api";
import type {
  BusyError,
  ClaimAnswer,
  Created,
  Game,
  GamePage,
  Joined,
  MoveAnswer,
  Queue,
  RematchAnswer,
  ResignAnswer,
} from "@/core/wire";

/** In a quick match nobody is kept waiting for longer. */
export const QUICK_MOVE_SEC = 60;

export const calls = {
  game: (publicId: string, signal?: AbortSignal) =>
    api.get<Game>(`/api/games/by-public/${encodeURIComponent(publicId)}`, signal ? { signal } : {}),
  create: (moveTimeSec: number | null) =>
    api.post<Created>(`/api/games${moveTimeSec === null ? "" : `?moveTimeSec=${moveTimeSec}`}`),
  join: (code: string) => api.post<Joined>(`/api/games/join/${encodeURIComponent(code)}`),
  cancel: (id: string) => api.delete<unknown>(`/api/games/${id}`),
  move: (id: string, column: number) => api.post<MoveAnswer>(`/api/games/${id}/move`, { column }),
  claim: (id: string) => api.post<ClaimAnswer>(`/api/games/${id}/claim-abandoned`),
  resign: (id: string) => api.post<ResignAnswer>(`/api/games/${id}/resign`),
  rematch: (id: string) => api.post<RematchAnswer>(`/api/games/${id}/rematch`),
  withdrawRematch: (id: string) => api.delete<unknown>(`/api/games/${id}/rematch`),
  enterQueue: () => api.post<Queue>(`/api/matchmaking/join?moveTimeSec=${QUICK_MOVE_SEC}`),
  queue: (signal: AbortSignal) => api.get<Queue>("/api/matchmaking/status", { signal }),
  leaveQueue: () => api.delete<Queue>("/api/matchmaking/leave", { keepalive: true }),
  /** The newest, or those before the one named. */
  played: (limit: number, before: string | null, signal: AbortSignal) =>
    api.get<GamePage>(
      `/api/users/me/games?limit=${limit}${before === null ? "" : `&before=${before}`}`,
      { signal },
    ),
};

/** The game that a refusal leads to: the one that is to be finished first. */
export function gameToFinish(error: unknown): string | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return (error.body as BusyError | null)?.publicId ?? null;
}
