// The REST client: one door to the server, one type of error.
import { noteServerTime } from "./clock";
import { createStore } from "./store";

const TIMEOUT_MS = 12_000;

/** The server refused, or could not be reached (`status` 0, code `UNREACHABLE`). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  /** The answer as it came; queue refusals carry more than a code. */
  readonly body: unknown;
  /** After how long the server wants to be asked again; null: it did not say. */
  readonly retryAfterSec: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    body: unknown = null,
    retryAfterSec: number | null = null,
  ) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.body = body;
    this.retryAfterSec = retryAfterSec;
  }

  /** It was too much at once, and nothing came of it. */
  get tooMuch(): boolean {
    return this.status === 429;
  }

  get unreachable(): boolean {
    return this.status === 0;
  }
}

/** True from a request that nobody answered until one that somebody did. */
export const unreachable = createStore(false);

interface Tokens {
  current: () => Promise<string | null>;
  refused: (token: string) => void;
}

let tokens: Tokens | null = null;

/** The session says which token requests carry, and hears when one is no longer accepted. */
export function tokensFrom(source: Tokens): void {
  tokens = source;
}

interface Options {
  body?: unknown;
  /** Carry no token. */
  anonymous?: boolean;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Finish even if the page is left meanwhile. */
  keepalive?: boolean;
}

type Method = "GET" | "POST" | "PUT" | "DELETE";

async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  const token = options.anonymous ? null : ((await tokens?.current()) ?? null);
  const headers: Record<string, string> = { Accept: "application/json", ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.body !== undefined) headers["Content-Type"] = "application/json";

  const limit = AbortSignal.timeout(TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, {
      method,
      headers,
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ? AbortSignal.any([options.signal, limit]) : limit,
      keepalive: options.keepalive ?? false,
      cache: "no-store",
    });
    text = await response.text();
  } catch (error) {
    if (options.signal?.aborted) throw error;
    unreachable.set(true);
    throw new ApiError(0, "UNREACHABLE", "Parlour cannot be reached. Check your connection.");
  }
  unreachable.set(false);
  noteServerTime(response.headers.get("Date"), false);

  const body = parse(text);
  if (response.ok && body !== undefined) return body as T;
  if (response.status === 401 && token) tokens?.refused(token);
  throw refusal(response.status, body, seconds(response.headers.get("Retry-After")));
}

function parse(text: string): unknown {
  if (text === "") return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Both shapes of errors: `{code, message}`, and `{detail, code}` or `{field: [text]}`. */
function refusal(status: number, body: unknown, retryAfterSec: number | null): ApiError {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Record<string, unknown>;
  const word = (value: unknown): string | undefined =>
    typeof value === "string" ? value : Array.isArray(value) ? word(value[0]) : undefined;
  const code = word(fields.code) ?? (status === 0 ? "UNREACHABLE" : `HTTP_${status}`);
  const message =
    word(fields.message) ??
    word(fields.detail) ??
    word(Object.values(fields)[0]) ??
    "Something went wrong on the server. Please try again.";
  return new ApiError(status, code, message, body ?? null, retryAfterSec);
}

/** Proxies may give a date instead; then nothing is known. */
function seconds(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

export const api = {
  get: <T>(path: string, options?: Options) => request<T>("GET", path, options),
  post: <T>(path: string, body?: unknown, options?: Options) =>
    request<T>("POST", path, { ...options, body }),
  put: <T>(path: string, body: unknown, options?: Options) =>
    request<T>("PUT", path, { ...options, body }),
  delete: <T>(path: string, options?: Options) => request<T>("DELETE", path, options),
};
