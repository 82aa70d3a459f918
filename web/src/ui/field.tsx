// A labelled line to write in, with room kept for what is wrong with it.
import { clsx } from "clsx";
import { type ComponentProps, useId } from "react";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  hint?: string;
  problem?: string | null;
}

export function Field({ label, hint, problem, className, ...props }: FieldProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-base font-bold">
        {label}
      </label>
      <input
        {...props}
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-note`}
        className={clsx(
          "well text-display min-h-13 w-full px-4 text-xl text-text placeholder:font-normal placeholder:text-soft/70",
          className,
        )}
      />
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={clsx("min-h-6 text-base", problem ? "font-bold text-text-red" : "text-soft")}
      >
        {note}
      </p>
    </div>
  );
}
