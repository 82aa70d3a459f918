// A match of Connect Five as the server would send it, for tests.
import { SIZE } from "./places";
import type { Challenge, Match, MatchPlayer } from "./wire";

const anna = { id: 1, uuid: "anna", username: "Anna" };
const bert = { id: 2, uuid: "bert", username: "Bert" };

const player = (user: typeof anna, changes: Partial<MatchPlayer> = {}): MatchPlayer => ({
  user,
  spent_total: 0,
  remaining_spend: 40,
  inventory_h2: 0,
  inventory_v2: 0,
  inventory_cross4: 0,
  inventory_bomb: 0,
  last_action_at: null,
  ...changes,
});

export const everywhere = "1".repeat(SIZE * SIZE);
export const nowhere = "0".repeat(SIZE * SIZE);

export function testMatch(changes: Partial<Match> = {}): Match {
  return {
    id: 31,
    uuid: "m1",
    challenge: 21,
    version: 1,
    player_a: anna,
    player_b: bert,
    status: "active",
    winner: null,
    active_player: anna,
    turn_number: 1,
    turn_started_at: "2030-01-01T12:00:00.000Z",
    clock_a_remaining_ms: 300_000,
    clock_b_remaining_ms: 300_000,
    currency: "TNB",
    stake_amount: 100,
    prize_pool_total: 200,
    max_spend_amount: 40,
    time_limit_seconds: 300,
    board_state: Array.from({ length: SIZE }, () => Array(SIZE).fill(0)),
    players: [player(anna), player(bert)],
    last_move: null,
    winning_cells: [],
    legal: {
      SINGLE: everywhere,
      H2: nowhere,
      V2: nowhere,
      CROSS4: nowhere,
      BOMB: nowhere,
    },
    finished_at: null,
    finish_reason: null,
    created_date: "2030-01-01T12:00:00.000Z",
    modified_date: "2030-01-01T12:00:00.000Z",
    server_time: "2030-01-01T12:00:00.000Z",
    ...changes,
  };
}

export function testChallenge(changes: Partial<Challenge> = {}): Challenge {
  return {
    id: 21,
    uuid: "c1",
    challenger: anna,
    opponent: bert,
    currency: "TNB",
    stake_amount: 100,
    max_spend_amount: 40,
    time_limit_seconds: 300,
    status: "pending",
    expires_at: "2030-01-01T12:05:00.000Z",
    accepted_at: null,
    match_id: null,
    created_date: "2030-01-01T12:00:00.000Z",
    modified_date: "2030-01-01T12:00:00.000Z",
    ...changes,
  };
}
