// A player's strip. The one whose turn it is lights up and lifts, so that it can be seen across a room.
import { clsx } from "clsx";
import type { ReactNode } from "react";

export type StripColor = "red" | "yellow" | "blue" | "green" | "ink";
export type Presence = "here" | "away";

interface StripProps {
  /** The player's chip, stone or piece. */
  token: ReactNode;
  name: string;
  /** Beside the name: a rating, or "you". */
  detail?: ReactNode;
  /** One line of what is going on; its room is kept when there is nothing to say. */
  status?: ReactNode;
  active: boolean;
  color: StripColor;
  presence?: Presence | undefined;
  /** At the far end: a score or a clock. */
  children?: ReactNode;
  className?: string;
}

const lit: Record<StripColor, string> = {
  red: "plastic-red",
  yellow: "plastic-yellow",
  blue: "plastic-blue",
  green: "plastic-green",
  ink: "plastic-ink",
};

export function Strip(props: StripProps) {
  const { token, name, detail, status, active, color, presence, children, className } = props;
  return (
    <section
      aria-label={name}
      data-active={active}
      className={clsx(
        "plastic flex min-h-17 items-center gap-3 px-3.5 py-2 side:max-wide:flex-wrap transition-[transform,box-shadow,background-color] duration-300 wide:min-h-24 wide:px-4 short:min-h-13 short:py-1",
        active
          ? `${lit[color]} -translate-y-1 [--lip-height:8px] wide:-translate-y-1.5`
          : "text-text",
        className,
      )}
    >
      <span
        aria-hidden="true"
        className={clsx(
          "shrink-0 transition-transform duration-300 [&>*]:size-11 wide:[&>*]:size-13 short:[&>*]:size-9",
          active && "scale-112",
        )}
      >
        {token}
      </span>
      <div className="@container min-w-0 flex-1 side:max-wide:min-w-30">
        <p className="flex min-w-0 items-center gap-2 leading-tight side:flex-wrap side:gap-y-0">
          <span className="text-display truncate text-lg leading-tight @max-[10.5rem]:text-base wide:@min-[12rem]:text-2xl">
            {name}
          </span>
          {presence && <PresenceLamp presence={presence} />}
          {detail !== undefined && (
            <span
              className={clsx(
                "shrink-0 text-base font-bold tabular has-data-gives-way:min-w-5 has-data-gives-way:shrink-[999]",
                !active && "text-soft",
              )}
            >
              {detail}
            </span>
          )}
        </p>
        <p
          className={clsx(
            "truncate leading-snug wide:line-clamp-2 wide:leading-tight wide:whitespace-normal short:leading-tight",
            active
              ? "text-display text-lg @min-[12rem]:text-xl wide:@min-[12rem]:text-2xl short:text-base!"
              : "min-h-6 text-base text-soft wide:min-h-7 short:min-h-5",
          )}
        >
          {status}
        </p>
      </div>
      {children}
    </section>
  );
}

function PresenceLamp({ presence }: { presence: Presence }) {
  const here = presence === "here";
  return (
    <span className="inline-flex shrink-0 items-center">
      <span
        aria-hidden="true"
        className={clsx(
          "size-3 rounded-full border-2",
          here
            ? "border-green-dark bg-green-light shadow-[inset_1px_1px_1px_rgb(255_255_255/0.8)]"
            : "border-current bg-transparent opacity-70",
        )}
      />
      <span className="sr-only">{here ? "is here" : "is away"}</span>
    </span>
  );
}
