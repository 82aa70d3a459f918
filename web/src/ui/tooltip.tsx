// A printed label beside something that shows only an icon. The icon still needs a name of its own.
import { Tooltip as Radix } from "radix-ui";
import type { ReactNode } from "react";

interface TooltipProps {
  /** Null: nothing to say now. */
  text: string | null;
  children: ReactNode;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Root>
      <Radix.Trigger asChild>{children}</Radix.Trigger>
      {text !== null && (
        <Radix.Portal>
          <Radix.Content
            sideOffset={9}
            collisionPadding={8}
            className="plastic plastic-ink z-60 animate-fade-in rounded-xl px-3 py-1.5 text-sm font-bold"
          >
            {text}
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  );
}

export const TooltipProvider = Radix.Provider;
