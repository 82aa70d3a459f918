// The way to a game's page. Whoever is nobody yet becomes a guest on it, under a name made up for them.
import type { ComponentProps, MouseEvent } from "react";
import { useRef } from "react";
import { Link, useLocation } from "wouter";
import { useConfig } from "@/core/config";
import { signInAsGuest, useSession } from "@/core/session";
import { sayError } from "@/core/words";
import { toast } from "@/ui/toast";

/** Null: one can simply go. */
export function useComeIn(): ((href: string) => Promise<void>) | null {
  const nobody = useSession() === null;
  const welcome = useConfig()?.guests !== false;
  const [, go] = useLocation();
  const coming = useRef(false);
  if (!nobody || !welcome) return null;
  return async (href) => {
    if (coming.current) return;
    coming.current = true;
    try {
      const { username } = await signInAsGuest("");
      go(href);
      toast(`You are ${username}. Your name is yours to change, at the top.`);
    } catch (error) {
      toast(sayError(error), "bad");
    } finally {
      coming.current = false;
    }
  };
}

interface PlayLinkProps extends Omit<ComponentProps<"a">, "href"> {
  href: string;
}

export function PlayLink({ href, ...props }: PlayLinkProps) {
  const comeIn = useComeIn();
  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    props.onClick?.(event);
    if (comeIn === null || event.defaultPrevented) return;
    event.preventDefault();
    void comeIn(href);
  };
  return <Link {...props} href={href} onClick={onClick} />;
}
