// What the host's socket told, as the table's parts see it.
import type { Opponent, PlayHint, PlayStep, PlayTable, Seat } from "@/core/wire";
import type { Hosted, Who } from "@/games/game";
import type { Another, Help, Next, Person, Presence, TableModel } from "@/table/model";
import { botName } from "@/table/names";
import { nextLevels } from "@/table/next-levels";
import { endedOf, ownSeat } from "./ending";
import type { Play } from "./use-play";

/** How the page asks for things; what was heard is in `table` and `held`. */
type Asking = Pick<Play, "held" | "say" | "choose" | "seek">;

/** `opponents`: who the computer can be. */
export function asTable(
  table: PlayTable,
  hosted: Hosted,
  play: Asking,
  opponents: readonly Opponent[] = [],
): TableModel {
  const { last, chosen } = play.held;
  const { match, seats, seat, turn, view, legal, status } = table;
  const who = whoAt(table);
  return {
    id: match,
    players: [personAt(table, 0), personAt(table, 1)],
    seats,
    turn: status === "active" ? turn : null,
    time: null,
    view,
    legal,
    chosen: chosen?.action ?? null,
    told: last && { key: last.version, words: toldOf(last, hosted, who), by: last.by },
    task: null,
    ended: endedOf(table, hosted, who),
    next: nextOf(table, play.say),
    others: seat === null ? [] : othersOf(table, opponents, play),
    act: play.choose,
    resign: seat === null ? null : () => play.say({ type: "resign", match }),
    help: helpOf(table, hosted, play),
    claim: null,
  };
}

const toldOf = (last: PlayStep, hosted: Hosted, who: Who): string =>
  last.kind === "takeback" && last.by !== null
    ? `${who(last.by)} took a move back.`
    : hosted.told(last, who);

/** In practice against the computer; on one's own turn there is a hint. */
function helpOf(table: PlayTable, hosted: Hosted, { held, say }: Asking): Help | null {
  const { match, help, legal, status } = table;
  if (status !== "active" || help.length === 0) return null;
  const { hint } = held;
  const hints = help.includes("hint") && legal.length > 0;
  return {
    hint: hints ? () => say({ type: "hint", match }) : null,
    takeBack: help.includes("takeback") ? () => say({ type: "takeback", match }) : null,
    advice: hint && { action: hint.action, words: adviceOf(hint, hosted, table.view) },
  };
}

function adviceOf({ action, exact, note }: PlayHint, hosted: Hosted, view: unknown): string {
  const what = hosted.back?.words(action, view) ?? "the marked move";
  return note ? `Try ${what}: ${note}${exact ? "" : ", as it looks"}.` : `Try ${what}.`;
}

function whoAt(table: PlayTable): Who {
  return (seat) => {
    if (seat === ownSeat(table)) return "You";
    const player = table.players[seat];
    return player?.bot ? botName(player.name) : (player?.name ?? "Nobody");
  };
}

function personAt(table: PlayTable, seat: Seat): Person {
  const player = table.players[seat];
  if (player === undefined) return { name: "Nobody", bot: false, rating: null, presence: null };
  const change = table.result?.rating_changes[seat] ?? 0;
  return {
    name: player.name,
    bot: player.bot !== null,
    rating: player.rating === null ? null : player.rating + change,
    presence: presenceOf(table, seat),
  };
}

function presenceOf(table: PlayTable, seat: Seat): Presence | null {
  const player = table.players[seat];
  const asked = table.status === "active" && !table.seats.includes(seat) && player?.bot === null;
  if (!asked) return null;
  return player.here ? "here" : { awayUntil: table.deadline_at };
}

function nextOf(table: PlayTable, say: Asking["say"]): Next {
  const { match, rematch_by, next_match, seat, status, players, mode } = table;
  const asked = seat !== null && rematch_by === seat;
  const other = seat === null ? undefined : players[seat === 0 ? 1 : 0];
  return {
    kind: "rematch",
    by: rematch_by === null ? [] : [rematch_by],
    // Who plays on is led there; who watches goes by the link.
    href: seat === null && next_match !== null ? `/game/${next_match}` : null,
    ask: seat !== null && status === "finished" ? () => say({ type: "rematch", match }) : null,
    withdraw: asked ? () => say({ type: "withdraw", match }) : null,
    gone: mode === "online" && status === "finished" && other?.here === false,
  };
}

/** Against people anybody else, against the computer one that is easier or harder. */
function othersOf(
  { game, mode, players }: PlayTable,
  opponents: readonly Opponent[],
  play: Asking,
): readonly Another[] {
  if (mode === "online") {
    return [{ kind: "anyone", label: "New opponent", begin: play.seek }];
  }
  const level = players.find(({ bot }) => bot !== null)?.bot;
  if (mode !== "ai" || level == null) return [];
  return nextLevels(game, opponents, level, (bot) => play.say({ type: "play_bot", game, bot }));
}
