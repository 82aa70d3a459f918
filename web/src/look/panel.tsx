// "Look at the game": its line, the best moves and the mistakes, and the board at any move of it.
import "./look.css";
import { Play, SkipForward, X } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { usePlayedHere } from "@/core/played-here";
import { useSession } from "@/core/session";
import type { Analysis, Judged, PositionSeen, Seat } from "@/core/wire";
import type { BoardProps, LookingBack } from "@/table/kit";
import type { TableModel } from "@/table/model";
import { nameAt, nearSeat, ownSeat } from "@/table/names";
import { Button } from "@/ui/button";
import { mistakeInWords, valuesOf, wasBettered } from "./moves";
import { Plot } from "./plot";
import { canPlayOn, useLook } from "./use-look";

interface PanelProps {
  table: TableModel;
  back: LookingBack<unknown, unknown>;
  /** What the board is to show; null: how it ended. */
  show: (past: BoardProps | null) => void;
  close: () => void;
}

export default function Panel(props: PanelProps) {
  const { table, close } = props;
  const { look, playOn } = useLook(table.id);
  return (
    <section
      aria-label="Look at the game"
      className="look table-result plastic flex flex-col gap-2 short:gap-1.5 short:py-2!"
    >
      {look.kind === "ready" ? (
        <Moves {...props} {...look} playOn={playOn} />
      ) : (
        <div className="flex items-center gap-3">
          <div className="min-w-0 flex-1" role="status">
            {look.kind === "refused" ? (
              <p className="text-base">{look.words}</p>
            ) : (
              <Making done={look.done} total={look.total} />
            )}
          </div>
          <Close close={close} />
        </div>
      )}
    </section>
  );
}

function Close({ close }: { close: () => void }) {
  return (
    <Button size="icon" aria-label="Back to the result" onClick={close}>
      <X aria-hidden="true" />
    </Button>
  );
}

function Making({ done, total }: { done: number; total: number }) {
  const label = useId();
  return (
    <>
      <p id={label} className="text-base font-bold">
        {total === 0
          ? "Looking at the game"
          : `Looking at move ${Math.min(done + 1, total)} of ${total}`}
      </p>
      <progress
        aria-labelledby={label}
        className="look-progress"
        max={Math.max(1, total)}
        value={done}
      />
    </>
  );
}

interface MovesProps extends PanelProps {
  analysis: Analysis;
  positions: readonly PositionSeen[];
  playOn: (version: number, bot: string) => void;
}

function Moves({ table, back, show, close, analysis, positions, playOn }: MovesProps) {
  const { moves } = analysis;
  const [at, setAt] = useState(moves.length);
  const panel = useRef<HTMLDivElement>(null);
  const near = nearSeat(table);
  const first = positions[0]?.view;
  const swapped = back.seatIn !== undefined && back.seatIn(first) !== near;
  /** As the table counts them. */
  const seatOf = (seat: number): Seat => (seat === (swapped ? 1 : 0) ? 0 : 1);
  const position = positionAt(positions, moves, at);
  const next = moves[at];
  const last = moves[at - 1];
  const mistake = moves.findIndex((move, index) => index >= at && move.mistake !== null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the board follows where one is, and nothing else
  useEffect(() => {
    show(position && next ? boardAt(position, next, seatOf(next.seat), table, back) : null);
  }, [at]);
  useEffect(() => panel.current?.querySelector<HTMLElement>("[role=slider]")?.focus(), []);

  const who = (seat: number) => (seat === ownSeat(table) ? "You" : nameAt(table, seat as Seat));
  const said = last
    ? `${who(seatOf(last.seat))}: ${back.words(last.action, first)}`
    : "The beginning";
  const verdict = last ? mistakeInWords(last) : "";
  const words = verdict ? `${said}, which ${verdict}` : said;
  return (
    <div ref={panel} className="flex flex-col gap-2 short:gap-1.5">
      <div className="flex items-center gap-2">
        <div className="min-w-0 flex-1">
          <h2 className="text-xl leading-tight">
            Move {at} of {moves.length}
          </h2>
          {!analysis.exact && (
            <p className="text-sm leading-tight font-bold text-soft">partly estimated</p>
          )}
        </div>
        <dl className="flex shrink-0 gap-3 text-right text-sm leading-tight font-bold text-soft">
          {[near, 1 - near].map((seat) => (
            <div key={seat}>
              <dt className="max-w-24 truncate">
                <span className="sr-only">Accuracy of </span>
                {who(seat)}
              </dt>
              <dd className="text-display text-lg text-text tabular">
                {accuracyOf(analysis, seatOf(seat))}
              </dd>
            </div>
          ))}
        </dl>
        <Close close={close} />
      </div>
      <Plot
        moves={moves}
        values={valuesOf(moves, swapped ? 1 - near : near)}
        at={at}
        words={`Move ${at}. ${words}.`}
        goTo={setAt}
      />
      <p aria-live="polite" className="min-h-12 text-base leading-6 short:min-h-10 short:leading-5">
        <span className={verdict ? "font-bold text-text-red" : "font-bold"}>{words}.</span>{" "}
        {last && wasBettered(last) && <span>Better was {back.words(last.best, first)}. </span>}
        {next && next.best !== null && <Best move={next} words={back.words(next.best, first)} />}
      </p>
      <div className="flex gap-2">
        {mistake >= 0 && (
          <Button size="small" className="min-w-0 flex-1 px-2!" onClick={() => setAt(mistake + 1)}>
            <SkipForward aria-hidden="true" /> Mistake
          </Button>
        )}
        {position && next && !back.onlyToLook && (
          <PlayOn game={analysis.game} begin={(bot) => playOn(position.version, bot)} />
        )}
      </div>
    </div>
  );
}

function Best({ move: { note, exact }, words }: { move: Judged; words: string }) {
  return (
    <span className="text-soft">
      Best now: {words}
      {note && ` (${note})`}
      {!exact && <em> estimated</em>}.
    </span>
  );
}

/** Against the strongest, unless one wants another. */
function PlayOn({ game, begin }: { game: string; begin: (bot: string) => void }) {
  const opponents = usePlayedHere(game)?.opponents ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const signedIn = useSession() !== null;
  const bot = chosen ?? opponents.at(-1)?.name;
  if (!signedIn || bot === undefined || !canPlayOn(game)) return null;
  return (
    <>
      <select
        aria-label="Opponent"
        className="well min-h-11 min-w-0 shrink px-2 text-base font-bold"
        value={bot}
        onChange={(event) => setChosen(event.target.value)}
      >
        {opponents.map(({ name, title }) => (
          <option key={name} value={name}>
            {title}
          </option>
        ))}
      </select>
      <Button
        color="green"
        size="small"
        className="min-w-0 flex-2 px-2! leading-tight!"
        onClick={() => begin(bot)}
      >
        <Play aria-hidden="true" /> Play on from here
      </Button>
    </>
  );
}

const accuracyOf = ({ accuracy }: Analysis, seat: number): string => {
  const percent = accuracy[seat === 0 ? 0 : 1];
  return percent === null ? "–" : `${Math.round(percent)} %`;
};

/** Before any move it is what the first one was made in. */
function positionAt(
  positions: readonly PositionSeen[],
  moves: readonly Judged[],
  at: number,
): PositionSeen | null {
  const version = moves[at - 1]?.version ?? (moves[0]?.version ?? 1) - 1;
  return positions.findLast((each) => each.version <= version) ?? null;
}

/** The board as it was, with the best move as the one that may be made. */
function boardAt(
  { view, turn }: PositionSeen,
  next: Judged,
  seat: Seat,
  table: TableModel,
  back: LookingBack<unknown, unknown>,
): BoardProps {
  const best = next.best === null ? null : back.action(next.best);
  return {
    view: back.view(view, table.view),
    legal: best === null ? [] : [best],
    seat,
    turn: turn === null ? null : seat,
    act: () => undefined,
    chosen: null,
    advice: best,
  };
}
