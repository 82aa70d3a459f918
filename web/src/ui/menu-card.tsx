// The card of an open menu, under what opened it.
import { clsx } from "clsx";
import { Menu } from "radix-ui/internal";
import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import { PartsOfCard } from "./menu";

export type Parts = typeof Menu;

interface MenuCardProps {
  trigger: RefObject<HTMLElement | null>;
  close: () => void;
  /** Opened by one: the next acts on the first row. */
  byKey: boolean;
  align: "start" | "end";
  className: string | undefined;
  "aria-labelledby": string;
  children: ReactNode;
}

export default function MenuCard(props: MenuCardProps) {
  const { trigger, close, byKey, align, className, children, ...named } = props;
  /** Who presses something else wants that. */
  const leftFor = useRef(false);
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const first = card.current?.querySelector<HTMLElement>('[role^="menuitem"]');
    if (byKey) first?.focus({ preventScroll: true });
  }, [byKey]);
  return (
    <PartsOfCard value={Menu}>
      <Menu.Root open modal={false} onOpenChange={(open) => open || close()}>
        <Menu.Anchor virtualRef={trigger as RefObject<HTMLElement>} />
        <Menu.Content
          {...named}
          ref={card}
          align={align}
          sideOffset={10}
          collisionPadding={10}
          onInteractOutside={(event) => {
            leftFor.current = true;
            // What opened it closes it by itself.
            if (trigger.current?.contains(event.target as Node)) event.preventDefault();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (!leftFor.current) trigger.current?.focus();
          }}
          className={clsx("plastic z-50 min-w-56 animate-pop-in rounded-tray p-2", className)}
        >
          {children}
        </Menu.Content>
      </Menu.Root>
    </PartsOfCard>
  );
}
