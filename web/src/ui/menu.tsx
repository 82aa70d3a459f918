// A drop-down of choices and actions on a moulded card.
import { clsx } from "clsx";
import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import type { ComponentProps, ReactNode } from "react";

interface MenuProps {
  trigger: ReactNode;
  children: ReactNode;
  /** Which edge of the trigger the card stands under. */
  align?: "start" | "end";
  className?: string;
}

export function Menu({ trigger, children, align = "end", className }: MenuProps) {
  return (
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Content
        align={align}
        sideOffset={10}
        collisionPadding={10}
        className={clsx("plastic z-50 min-w-56 animate-pop-in rounded-tray p-2", className)}
      >
        {children}
      </Radix.Content>
    </Radix.Root>
  );
}

const row =
  "relative flex min-h-11 cursor-pointer items-center gap-3 rounded-xl px-3 text-base font-bold outline-none select-none data-highlighted:bg-well [&_svg]:size-5 [&_svg]:shrink-0";

export function MenuItem({ className, ...props }: ComponentProps<typeof Radix.Item>) {
  return <Radix.Item {...props} className={clsx(row, className)} />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <Radix.Label className="px-3 pt-2 pb-1 text-sm font-bold text-soft">{children}</Radix.Label>
  );
}

export function MenuGap() {
  return <Radix.Separator className="well mx-2 my-2 h-1" />;
}

export function MenuChoices<T extends string>(props: {
  value: T;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: string; icon: ReactNode }[];
}) {
  return (
    <Radix.RadioGroup value={props.value} onValueChange={(value) => props.onChange(value as T)}>
      {props.choices.map(({ value, label, icon }) => (
        <Radix.RadioItem key={value} value={value} className={row}>
          {icon}
          {label}
          <Radix.ItemIndicator className="ml-auto">
            <Check aria-hidden="true" className="text-text-green" />
          </Radix.ItemIndicator>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuSwitch(props: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  label: string;
  icon: ReactNode;
  className?: string;
}) {
  return (
    <Radix.CheckboxItem
      checked={props.checked}
      onCheckedChange={props.onChange}
      onSelect={(event) => event.preventDefault()}
      className={clsx(row, props.className)}
    >
      {props.icon}
      {props.label}
      <Radix.ItemIndicator className="ml-auto">
        <Check aria-hidden="true" className="text-text-green" />
      </Radix.ItemIndicator>
    </Radix.CheckboxItem>
  );
}
