// A moulded card that holds things, with a heading of its own.
import { clsx } from "clsx";
import type { ComponentProps } from "react";

export function Tray({ className, ...props }: ComponentProps<"section">) {
  return <section {...props} className={clsx("plastic rounded-tray p-5 sm:p-7", className)} />;
}
