// What one knows of the table at hand: a pure function of what is heard on the host's socket.
import type { PlayHeard, PlayHint, PlayInvitation, PlayStep, PlayTable } from "@/core/wire";

/** What was chosen and is not answered yet. */
export interface Chosen {
  action: unknown;
  /** The version it was decided on. */
  version: number;
  /** What was seen then. */
  seen: string;
  /** Somebody came or went since, and nothing else happened. */
  disturbed: boolean;
}

/** What the server did not do. `ref` is the type of what was asked. */
export interface Refusal {
  ref: string | null;
  code: string;
  message: string;
  /** With `BUSY`, the game to finish first. */
  match: string | null;
}

export interface Held {
  table: PlayTable | null;
  /** The latest step since the table was shown. */
  last: PlayStep | null;
  chosen: Chosen | null;
  /** What one was advised to do, at the version at hand. */
  hint: PlayHint | null;
  /** Why one is told no more of this table. */
  left: "taken_over" | "closed" | "declined" | "answered" | null;
  /** Looking for an opponent since then, and when the computer steps in. */
  seeking: { since: number; botAt: number | null } | null;
  refused: Refusal | null;
  /** Who keeps a seat for one, as long as that is not answered. */
  invitations: readonly PlayInvitation[];
}

export const NOTHING: Held = {
  table: null,
  last: null,
  chosen: null,
  hint: null,
  left: null,
  seeking: null,
  refused: null,
  invitations: [],
};

const COMING_AND_GOING: readonly string[] = ["gone", "back"];

export function heard(held: Held, message: PlayHeard): Held {
  switch (message.type) {
    case "table":
      return {
        ...answered(shown(held, message), message.match),
        left: null,
        seeking: null,
        refused: null,
      };
    case "step":
      return stepped(held, message);
    case "presence":
      return about(held, message.match, ({ players }) => ({
        players: players.map((player, seat) => ({
          ...player,
          here: player.bot !== null || message.here[seat] === true,
        })),
      }));
    case "rematch":
      return about(held, message.match, (table) => ({
        rematch_by: message.by,
        next_match: message.next ?? table.next_match,
      }));
    case "hint":
      return hinted(held, message);
    case "left":
      if (message.match !== held.table?.match || message.why === "unwatched") return held;
      return { ...held, left: message.why, chosen: null };
    case "invitation":
      return { ...held, invitations: [...answered(held, message.match).invitations, message] };
    case "seeking":
      return { ...held, seeking: { since: message.now, botAt: message.bot_at }, refused: null };
    case "done":
      if (message.ref === "act") return { ...held, chosen: null };
      return message.ref === "withdraw" ? { ...held, seeking: null } : held;
    case "error":
      return refused(held, {
        ref: typeof message.ref === "string" ? message.ref : null,
        code: message.code,
        message: message.message,
        match: message.match ?? null,
      });
    default:
      return held;
  }
}

/** An invitation was followed or declined. */
export const answered = (held: Held, match: string): Held => ({
  ...held,
  invitations: held.invitations.filter((each) => each.match !== match),
});

/** Something is chosen; until it is answered nothing else can be. */
export function chose(held: Held, action: unknown): Held {
  if (held.table === null || held.chosen !== null) return held;
  const { version } = held.table;
  return { ...held, chosen: { action, version, seen: sight(held.table), disturbed: false } };
}

/** All that a choice is made by. */
const sight = ({ view, legal, turn }: PlayTable): string => JSON.stringify([view, legal, turn]);

function shown(held: Held, table: PlayTable): Held {
  const same = held.table?.match === table.match;
  return {
    ...held,
    table,
    last: same && held.table?.version === table.version ? held.last : null,
    hint: same && held.table?.version === table.version ? held.hint : null,
    // It may have been played before the line was cut: only asking again tells.
    chosen: same ? held.chosen : null,
  };
}

function stepped(held: Held, step: PlayStep): Held {
  const { table, chosen } = held;
  if (table?.match !== step.match || step.version <= table.version) return held;
  const { match, version, status, view, legal, turn, deadline_at, now, result } = step;
  const standing = { match, version, status, view, legal, turn, deadline_at, now, result };
  const onlyPresence = COMING_AND_GOING.includes(step.kind);
  return {
    ...held,
    table: { ...table, ...standing },
    last: step,
    hint: null,
    chosen: chosen && onlyPresence ? { ...chosen, disturbed: true } : null,
  };
}

const hinted = (held: Held, hint: PlayHint): Held =>
  held.table?.match === hint.match && held.table.version === hint.version
    ? { ...held, hint }
    : held;

function refused(held: Held, refusal: Refusal): Held {
  if (refusal.ref === "act") {
    const again = refusal.code === "STALE" ? stillGood(held) : null;
    return { ...held, chosen: again, refused: again ? held.refused : refusal };
  }
  const seeking = refusal.code === "SEEKING_ELSEWHERE" || refusal.ref === "seek";
  return { ...held, refused: refusal, seeking: seeking ? null : held.seeking };
}

/** Nobody moved, somebody only came or went: what was chosen is as good as before. */
function stillGood({ table, chosen }: Held): Chosen | null {
  if (table === null || chosen === null || table.version <= chosen.version) return null;
  if (!chosen.disturbed && sight(table) !== chosen.seen) return null;
  return { ...chosen, version: table.version, disturbed: false };
}

function about(held: Held, match: string, change: (table: PlayTable) => Partial<PlayTable>): Held {
  const { table } = held;
  return table?.match === match ? { ...held, table: { ...table, ...change(table) } } : held;
}
