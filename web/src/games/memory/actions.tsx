// What one can do at the table: use a power-up, leave; after the end, play again.
import { DoorOpen } from "lucide-react";
import { useState } from "react";
import { ratingMove, useRecord } from "@/core/played";
import { Button } from "@/ui/button";
import { Dialog } from "@/ui/dialog";
import { RatingLine } from "@/ui/rating-line";
import { resultReason, resultTitle } from "./ending";
import { Hand } from "./hand";
import { type Ending, type Found, mayUseAny, type State } from "./memory";
import { powerUp } from "./power-ups";
import { Ways } from "./ways";

interface PlayingProps {
  state: State;
  armed: string | null;
  onUse: (id: string) => void;
  leave: () => void;
  opponent: string;
}

export function Playing({ state, armed, onUse, leave, opponent }: PlayingProps) {
  return (
    <div className="flex flex-col gap-1 wide:gap-3">
      <p className="grid min-h-7 place-items-center text-center text-base text-balance text-soft wide:min-h-14 wide:text-lg">
        {hint(state, armed)}
      </p>
      <div className="flex items-start justify-center gap-2.5 wide:flex-col wide:items-stretch wide:gap-4">
        <Hand hand={state.hand} usable={mayUseAny(state)} armed={armed} onUse={onUse} />
        <Leave leave={leave} opponent={opponent} />
      </div>
    </div>
  );
}

function hint(state: State, armed: string | null): string {
  if (armed !== null) return `Pick a card for ${powerUp(armed).label}. Escape to keep it.`;
  if (!state.yourTurn) return "";
  if (state.phase === "resolve") return "No match. Remember them.";
  return state.phase === "second_flip" ? "And its twin?" : "Turn over a card.";
}

function Leave({ leave, opponent }: { leave: () => void; opponent: string }) {
  const [asked, setAsked] = useState(false);
  return (
    <>
      <Button
        size="small"
        aria-label="Leave the game"
        onClick={() => setAsked(true)}
        className="mt-3 wide:mt-0 wide:self-start"
      >
        <DoorOpen aria-hidden="true" />
        <span className="max-wide:hidden">Leave the game</span>
      </Button>
      <Dialog
        open={asked}
        onClose={() => setAsked(false)}
        title="Leave this game?"
        description={`${opponent} wins if you go.`}
      >
        <Button color="red" onClick={leave}>
          Leave
        </Button>
        <Button onClick={() => setAsked(false)}>Stay</Button>
      </Dialog>
    </>
  );
}

interface EndedProps {
  ending: Ending;
  found: Found;
  again: () => void;
}

export function Ended({ ending, found, again }: EndedProps) {
  const record = useRecord("memory", found.gameId);
  const rating = record && ratingMove(record);
  return (
    <div className="flex flex-col gap-2.5 wide:gap-4">
      <div className="text-center max-wide:flex max-wide:min-h-7 max-wide:flex-wrap max-wide:items-baseline max-wide:justify-center max-wide:gap-x-2">
        <h2 className="text-xl leading-tight wide:text-4xl">{resultTitle(ending)}</h2>
        <p className="text-base text-soft wide:text-lg">
          {resultReason(ending, found.opponentName)}
        </p>
      </div>
      <div className="min-h-13 max-wide:hidden">{rating && <RatingLine {...rating} />}</div>
      <Ways again={again} oneRow />
    </div>
  );
}
