// Lets through who is signed in, and shows everyone else the way there and back.
import type { ReactNode } from "react";
import { Redirect } from "wouter";
import { useSession } from "@/core/session";

/** Where to go after signing in; only paths of this site. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get("next") ?? "/";
  return /^\/(?![/\\])/.test(next) ? next : "/";
}

export function SignedIn({ children }: { children: ReactNode }) {
  const session = useSession();
  if (session !== null) return children;
  const here = window.location.pathname + window.location.search;
  return <Redirect to={`~/sign-in?next=${encodeURIComponent(here)}`} replace />;
}
