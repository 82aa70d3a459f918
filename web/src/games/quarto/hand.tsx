// A player's hand: where the piece lies that was handed over.
import { Tooltip } from "@/ui/tooltip";
import { Carried } from "./carry";
import { pieceName, traitsInWords } from "./traits";

export function Hand({ piece }: { piece: number | null }) {
  if (piece === null) return <span aria-hidden="true" className="q-hand" data-testid="hand" />;
  return (
    <Tooltip text={pieceName(piece)}>
      <span className="q-hand q-hand-full" data-testid="hand">
        <span className="sr-only">Has to place: {traitsInWords(piece)}</span>
        <Carried key={piece} piece={piece} className="q-in-hand" />
      </span>
    </Tooltip>
  );
}
