// Moulded buttons. Pressing one moves it down by its lip, and sounds like it.
import { cva, type VariantProps } from "class-variance-authority";
import { clsx } from "clsx";
import { Root as Slot } from "radix-ui/slot";
import type { ComponentProps } from "react";
import { play } from "@/core/sound";

const button = cva(
  "plastic pressable text-display inline-flex shrink-0 items-center justify-center gap-2.5 text-center leading-tight",
  {
    variants: {
      color: {
        cream: "plastic-cream",
        blue: "plastic-blue",
        red: "plastic-red",
        yellow: "plastic-yellow",
        green: "plastic-green",
        ink: "plastic-ink",
      },
      size: {
        small: "min-h-11 px-4 py-2 text-base [&_svg]:size-5",
        medium: "min-h-13 px-5 py-2.5 text-lg [&_svg]:size-5.5",
        large: "min-h-16 px-7 py-3 text-xl [&_svg]:size-6.5",
        icon: "size-11 p-0 [&_svg]:size-5.5",
      },
    },
    defaultVariants: { color: "cream", size: "medium" },
  },
);

interface ButtonProps extends Omit<ComponentProps<"button">, "color">, VariantProps<typeof button> {
  /** Lend the look to the only child, such as a link. */
  asChild?: boolean;
}

export function Button({ asChild, color, size, className, ...props }: ButtonProps) {
  const Element = asChild ? Slot : "button";
  return (
    <Element
      {...(asChild ? {} : { type: "button" as const })}
      {...props}
      className={clsx(button({ color, size }), className)}
      onPointerDown={(event) => {
        play("press");
        props.onPointerDown?.(event);
      }}
    />
  );
}
