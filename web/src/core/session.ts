// Who is signed in on this browser, and with which token. The user's own data is in `me.ts`.
import { api, tokensFrom } from "./api";
import { loadConfig } from "./config";
import { createStore, keptStore, useStore } from "./store";
import type { GuestSignIn, RecoveryCode, User } from "./wire";

export type Session = { kind: "guest"; token: string } | { kind: "google" };

function isSession(kept: unknown): kept is Session | null {
  if (kept === null) return true;
  if (typeof kept !== "object") return false;
  const { kind, token } = kept as Record<string, unknown>;
  return kind === "google" || (kind === "guest" && typeof token === "string" && token !== "");
}

export const session = keptStore<Session | null>("session", null, isSession);

/** True after the server stopped accepting the token, until the next sign-in. */
export const sessionEnded = createStore(false);

export function useSession(): Session | null {
  return useStore(session);
}

/** Firebase's code is fetched only where the server has it configured and somebody uses it. */
async function google() {
  const { firebase } = await loadConfig();
  if (!firebase) return null;
  const { openFirebase } = await import("./firebase");
  return openFirebase(firebase);
}

export async function currentToken(): Promise<string | null> {
  const now = session.get();
  if (now === null) return null;
  return now.kind === "guest" ? now.token : ((await google())?.token() ?? null);
}

function begin(next: Session): void {
  sessionEnded.set(false);
  session.set(next);
}

export async function signInAsGuest(username: string): Promise<User> {
  const wish = username.trim();
  const { token, user } = await api.post<GuestSignIn>(
    "/api/auth/guest",
    wish === "" ? undefined : { username: wish },
    { anonymous: true },
  );
  begin({ kind: "guest", token });
  return user;
}

/** Back to a guest's account, by the code it made on another device. */
export async function comeBack(code: string): Promise<User> {
  const { token, user } = await api.post<GuestSignIn>(
    "/api/auth/recover",
    { code },
    { anonymous: true },
  );
  begin({ kind: "guest", token });
  return user;
}

/** A code by which this guest can come back elsewhere, once; it replaces the last. */
export async function newRecoveryCode(): Promise<string> {
  return (await api.post<RecoveryCode>("/api/users/me/recovery")).code;
}

/** False when the visitor closed Google's window. */
export async function signInWithGoogle(): Promise<boolean> {
  const firebase = await google();
  if (!firebase || !(await firebase.signIn())) return false;
  begin({ kind: "google" });
  return true;
}

export async function signOut(): Promise<void> {
  const before = session.get();
  session.set(null);
  if (before?.kind === "google") await (await google())?.signOut();
}

/** The server refused `token`: unless another one has taken its place, the session is over. */
async function tokenRefused(token: string): Promise<void> {
  if ((await currentToken()) !== token) return;
  session.set(null);
  sessionEnded.set(true);
}

/** A socket's token was not taken. Only a request tells a bad one from one that came too late. */
export async function checkSession(): Promise<void> {
  // If it is refused, the session ends; any other outcome says nothing against the token.
  await api.get<User>("/api/users/me").catch(() => undefined);
}

tokensFrom({ current: currentToken, refused: tokenRefused });
