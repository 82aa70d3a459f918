// A printed label beside something that shows only an icon. The icon still needs a name of its own.
import { Tooltip as Radix } from "radix-ui";
import type { FocusEvent, ReactNode } from "react";

interface TooltipProps {
  /** Null: nothing to say now. */
  text: string | null;
  children: ReactNode;
}

export function Tooltip({ text, children }: TooltipProps) {
  return (
    <Radix.Root disableHoverableContent>
      <Radix.Trigger asChild onFocus={stayClosedAfterTouch}>
        {children}
      </Radix.Trigger>
      {text !== null && (
        // Inside of a landmark, where whoever jumps from one to the next finds it.
        <Radix.Portal container={document.querySelector("main")}>
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

/** A finger leaves the focus where it touched, but no wish to read. */
function stayClosedAfterTouch(event: FocusEvent): void {
  if (!event.currentTarget.matches(":focus-visible")) event.preventDefault();
}

export const TooltipProvider = Radix.Provider;
