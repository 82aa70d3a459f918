// A drop-down of choices and actions on a moulded card. The card's code is fetched when somebody comes near one.
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { Root as Slot } from "radix-ui/slot";
import {
  type ComponentProps,
  createContext,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  Suspense,
  useContext,
  useId,
  useRef,
  useState,
} from "react";
import { piece } from "@/core/piece";
import type { Parts } from "./menu-card";

const MenuCard = piece(() => import("./menu-card"));

/** What the card lays its rows out of; it is fetched with the card. */
export const PartsOfCard = createContext<Parts | null>(null);

function useParts(): Parts {
  const parts = useContext(PartsOfCard);
  if (parts === null) throw new Error("rows of a menu stand on its card");
  return parts;
}

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  /** Which edge of the trigger the card stands under. */
  align?: "start" | "end";
  className?: string;
}

export function Menu({ trigger, children, align = "end", className }: MenuProps) {
  const [open, setOpen] = useState<"by pointer" | "by key" | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  return (
    <>
      <Slot
        ref={button}
        id={id}
        aria-haspopup="menu"
        aria-expanded={open !== null}
        onPointerEnter={MenuCard.load}
        onFocus={MenuCard.load}
        onPointerDown={(event: PointerEvent) => {
          if (event.button !== 0 || event.ctrlKey) return;
          // The focus goes to the card.
          if (!open) event.preventDefault();
          setOpen(open ? null : "by pointer");
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (!["Enter", " ", "ArrowDown"].includes(event.key)) return;
          event.preventDefault();
          setOpen("by key");
        }}
      >
        {trigger}
      </Slot>
      {open && (
        <Suspense>
          <MenuCard
            trigger={button}
            close={() => setOpen(null)}
            byKey={open === "by key"}
            aria-labelledby={id}
            align={align}
            className={className}
          >
            {children}
          </MenuCard>
        </Suspense>
      )}
    </>
  );
}

const row =
  "relative flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 text-base font-bold outline-none select-none data-highlighted:bg-well [&_svg]:size-5 [&_svg]:shrink-0";

export function MenuItem({ className, ...props }: ComponentProps<Parts["Item"]>) {
  const { Item } = useParts();
  return <Item {...props} className={clsx(row, className)} />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const { Label } = useParts();
  return <Label className="px-3 pt-2 pb-1 text-sm font-bold text-soft">{children}</Label>;
}

export function MenuGap() {
  const { Separator } = useParts();
  return <Separator className="well mx-2 my-2 h-1" />;
}

export function MenuChoices<T extends string>(props: {
  value: T;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: string; icon: ReactNode }[];
}) {
  const { RadioGroup, RadioItem } = useParts();
  return (
    <RadioGroup value={props.value} onValueChange={(value) => props.onChange(value as T)}>
      {props.choices.map(({ value, label, icon }) => (
        <RadioItem key={value} value={value} className={row}>
          {icon}
          {label}
          <Chosen />
        </RadioItem>
      ))}
    </RadioGroup>
  );
}

export function MenuSwitch(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  icon: ReactNode;
  className?: string;
}) {
  const { CheckboxItem } = useParts();
  return (
    <CheckboxItem
      checked={props.checked}
      onCheckedChange={props.onChange}
      onSelect={(event) => event.preventDefault()}
      className={clsx(row, props.className)}
    >
      {props.icon}
      {props.label}
      <Chosen />
    </CheckboxItem>
  );
}

function Chosen() {
  const { ItemIndicator } = useParts();
  return (
    <ItemIndicator className="ml-auto">
      <Check aria-hidden="true" className="text-text-green" />
    </ItemIndicator>
  );
}
