// The result of a game that ended while nobody sat here, from what the server wrote down.
import { RotateCcw } from "lucide-react";
import type { ReactNode } from "react";
import { ratingMove, usePlayed } from "@/core/played";
import { useTitle } from "@/core/title";
import type { PlayedRecord } from "@/core/wire";
import { Button } from "@/ui/button";
import { RatingLine } from "@/ui/rating-line";
import { Spinner } from "@/ui/spinner";
import { Tray } from "@/ui/tray";
import { endingOf, opponentOf, resultReason, resultTitle } from "./ending";
import { Ways } from "./ways";

export function Missed({ gameId, again }: { gameId: string; again: () => void }) {
  const { data, isFetching } = usePlayed("memory");
  const record = data?.pages.flat().find((each) => each.game_id === gameId);
  if (record) return <Known record={record} again={again} />;
  if (isFetching) return <Spinner label="Looking up how it ended" />;
  return <Sheet title="This game is gone" reason="Nobody here knows how it ended." again={again} />;
}

function Known({ record, again }: { record: PlayedRecord; again: () => void }) {
  const ending = endingOf(record);
  const opponent = opponentOf(record);
  const rating = ratingMove(record);
  return (
    <Sheet title={resultTitle(ending)} reason={resultReason(ending, opponent)} again={again}>
      <div className="mem-cloth grid grid-cols-2 gap-3 px-4 py-5">
        <Pile name="You" score={ending.you} edge="border-green" />
        <Pile name={opponent} score={ending.opponent} edge="border-blue" />
      </div>
      {rating && <RatingLine {...rating} />}
    </Sheet>
  );
}

interface SheetProps {
  title: string;
  reason: string;
  again: () => void;
  children?: ReactNode;
}

function Sheet({ title, reason, again, children }: SheetProps) {
  useTitle(title);
  return (
    <main className="mx-auto grid w-full max-w-lg flex-1 content-center px-4 pb-16">
      <Tray className="flex flex-col gap-4">
        <div className="text-center">
          <h1 className="text-4xl leading-tight">{title}</h1>
          <p className="text-lg text-balance text-soft">{reason}</p>
        </div>
        {children}
        <Button color="green" size="large" onClick={again}>
          <RotateCcw aria-hidden="true" /> Play again
        </Button>
        <Ways />
      </Tray>
    </main>
  );
}

interface PileProps {
  name: string;
  score: number;
  /** In the owner's colour, as on the table. */
  edge: string;
}

function Pile({ name, score, edge }: PileProps) {
  return (
    <div className="flex min-w-0 flex-col items-center gap-2">
      <span
        className={`text-display grid h-26 w-21 place-items-center rounded-xl border-5 bg-[#fffef9] text-5xl text-ink tabular shadow-[3px_6px_5px_1px_rgb(40_6_14/0.5)] ${edge}`}
      >
        {score}
      </span>
      <span className="w-full truncate text-center text-base font-bold text-white">{name}</span>
    </div>
  );
}
