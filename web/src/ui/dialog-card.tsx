// The card of an open dialog.
import { clsx } from "clsx";
import { X } from "lucide-react";
import * as Radix from "radix-ui/dialog";
import { useRef } from "react";
import { Button } from "./button";
import type { DialogProps } from "./dialog";

export default function DialogCard(props: DialogProps) {
  const { open, onClose, title, description, picture, children, className } = props;
  const stay = (event: Event) => onClose || event.preventDefault();
  // Dialogs open for many reasons; the focus goes back to wherever it was.
  const before = useRef<Element | null>(null);
  return (
    <Radix.Root open={open} onOpenChange={(next) => next || onClose?.()}>
      <Radix.Portal>
        <Radix.Overlay className="fixed inset-0 z-40 animate-fade-in bg-ink-dark/55" />
        <Radix.Content
          onOpenAutoFocus={() => {
            before.current = document.activeElement;
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (before.current instanceof HTMLElement) before.current.focus();
          }}
          onEscapeKeyDown={stay}
          onInteractOutside={stay}
          {...(description === undefined ? { "aria-describedby": undefined } : {})}
          className={clsx(
            "plastic fixed z-50 flex max-h-[92dvh] flex-col gap-4 overflow-y-auto p-6 outline-none",
            "max-sm:inset-x-0 max-sm:bottom-0 max-sm:mb-0 max-sm:animate-sheet-in max-sm:rounded-t-[26px] max-sm:rounded-b-none max-sm:pb-[max(1.75rem,env(safe-area-inset-bottom))]",
            "sm:inset-0 sm:m-auto sm:h-fit sm:w-[min(30rem,92vw)] sm:animate-pop-in sm:rounded-[22px] sm:p-8",
            className,
          )}
        >
          <span aria-hidden="true" className="well mx-auto -mt-2 h-1.5 w-12 shrink-0 sm:hidden" />
          {picture}
          <div className="flex flex-col gap-1.5 pr-12">
            <Radix.Title className="text-3xl leading-tight">{title}</Radix.Title>
            {description !== undefined && (
              <Radix.Description asChild>
                <div className="text-lg text-soft">{description}</div>
              </Radix.Description>
            )}
          </div>
          {children}
          {onClose && (
            <Radix.Close asChild>
              <Button size="icon" aria-label="Close" className="absolute! top-5 right-5">
                <X aria-hidden="true" />
              </Button>
            </Radix.Close>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
