// A table of the host's as a match: the same board, clocks and tools, with nothing at stake.
import type { PlayTable, Seat } from "@/core/wire";
import type { Placement } from "./board";
import { SIZE } from "./places";
import type { Match, MatchPlayer, MoveType, SpecialType } from "./wire";

interface Inventory {
  h2: number;
  v2: number;
  cross4: number;
  bomb: number;
}

type Both<T> = readonly [T, T];

/** What the host shows of it. */
export interface Shown {
  state: {
    options: { time_limit_seconds: number; max_spend: number };
    clocks: { left_ms: Both<number>; running: Seat; started_at: number };
    turn_number: number;
    inventories: Both<Inventory>;
    spent: Both<number>;
    last: {
      seat: Seat;
      move_type: MoveType;
      x: number;
      y: number;
      placed: [number, number][];
      removed: [number, number] | null;
    } | null;
  };
  /** Each seat's stones, one digit a cell. */
  cells: Both<string>;
  winning: [number, number][];
}

export type Action =
  | { type: "move"; move_type: MoveType; x: number; y: number }
  | { type: "purchase"; special_type: SpecialType; quantity: number };

/** What the match's own budget is counted in: no money of anybody's. */
const COINS = "coins";

const ENDED: Record<string, Match["status"]> = {
  connect5: "finished_connect5",
  timeout: "finished_timeout",
  draw: "draw",
};

export function asMatch(table: PlayTable): Match {
  const view = table.view as Shown;
  const { options, clocks, turn_number, spent, inventories, last } = view.state;
  const people = [personAt(table, 0), personAt(table, 1)] as const;
  const started = new Date(clocks.started_at).toISOString();
  const now = new Date(table.now).toISOString();
  const active = table.status === "active";
  const reason = table.result?.reason ?? null;
  const winner = table.result?.winner ?? null;
  const player = (seat: Seat): MatchPlayer => ({
    user: people[seat],
    spent_total: spent[seat],
    remaining_spend: options.max_spend - spent[seat],
    inventory_h2: inventories[seat].h2,
    inventory_v2: inventories[seat].v2,
    inventory_cross4: inventories[seat].cross4,
    inventory_bomb: inventories[seat].bomb,
    last_action_at: null,
  });
  return {
    id: 0,
    uuid: table.match,
    challenge: 0,
    version: table.version,
    player_a: people[0],
    player_b: people[1],
    status: active ? "active" : (ENDED[reason ?? ""] ?? "cancelled"),
    winner: winner === null ? null : people[winner].id,
    active_player: active ? people[clocks.running] : null,
    turn_number,
    turn_started_at: started,
    clock_a_remaining_ms: clocks.left_ms[0],
    clock_b_remaining_ms: clocks.left_ms[1],
    currency: COINS,
    stake_amount: 0,
    prize_pool_total: 0,
    max_spend_amount: options.max_spend,
    time_limit_seconds: options.time_limit_seconds,
    board_state: gridOf(view.cells),
    players: [player(0), player(1)],
    last_move: last && {
      user: people[last.seat].id,
      move_type: last.move_type,
      x: last.x,
      y: last.y,
      placed: last.placed,
      removed: last.removed ? [last.removed] : [],
    },
    winning_cells: view.winning,
    legal: null,
    finished_at: null,
    finish_reason: active ? null : ((reason as Match["finish_reason"]) ?? "cancelled"),
    created_date: started,
    modified_date: now,
    server_time: now,
  };
}

const personAt = ({ players }: PlayTable, seat: Seat) => ({
  id: seat + 1,
  uuid: String(seat),
  username: players[seat]?.name ?? "Nobody",
});

export const gridOf = ([ones, twos]: Both<string>): number[][] =>
  Array.from({ length: SIZE }, (_, y) =>
    Array.from({ length: SIZE }, (_, x) => {
      const at = y * SIZE + x;
      return ones[at] === "1" ? 1 : twos[at] === "1" ? 2 : 0;
    }),
  );

export const placementOf = (action: Action | null): Placement | null =>
  action?.type === "move" ? { tool: action.move_type, place: { x: action.x, y: action.y } } : null;

export const placementsIn = (legal: readonly unknown[]): Placement[] =>
  legal.flatMap((action) => placementOf(action as Action) ?? []);

export const asAction = ({ tool, place }: Placement): Action => ({
  type: "move",
  move_type: tool,
  ...place,
});
