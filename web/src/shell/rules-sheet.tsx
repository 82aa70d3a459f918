// The leaflet in the box: how a game is played, in its panels.
import { useQuery } from "@tanstack/react-query";
import { sayError } from "@/core/words";
import type { Game } from "@/games/game";
import { Dialog } from "@/ui/dialog";
import { Spinner } from "@/ui/spinner";

interface RulesSheetProps {
  game: Game;
  open: boolean;
  close: () => void;
}

export function RulesSheet({ game, open, close }: RulesSheetProps) {
  const { data: panels, error } = useQuery({
    queryKey: ["rules", game.key],
    queryFn: async () => (await game.rules?.())?.default ?? [],
    enabled: open,
    staleTime: Infinity,
  });
  return (
    <Dialog
      open={open}
      onClose={close}
      title={`How to play ${game.title}`}
      className="sm:w-[min(44rem,94vw)]! lg:w-[min(76rem,94vw)]!"
    >
      {panels ? (
        <ol className="grid gap-x-5 gap-y-6 sm:grid-cols-2 lg:grid-cols-4">
          {panels.map(({ title, words, picture }, place) => (
            <li key={title} className="flex flex-col gap-2.5">
              <div
                inert
                aria-hidden="true"
                className="well flex flex-1 items-center justify-center p-3"
              >
                <div className="w-full max-w-68">{picture}</div>
              </div>
              <div className="flex gap-3 sm:min-h-30">
                <span
                  aria-hidden="true"
                  className="text-display plastic plastic-blue mt-0.5 grid size-8 shrink-0 place-items-center rounded-full! text-lg [--lip-height:3px]"
                >
                  {place + 1}
                </span>
                <div>
                  <h3 className="text-xl leading-tight">{title}</h3>
                  <p className="text-base text-soft">{words}</p>
                </div>
              </div>
            </li>
          ))}
        </ol>
      ) : (
        <div className="grid min-h-72 place-items-center">
          {error ? <p className="text-lg">{sayError(error)}</p> : <Spinner label="Unfolding" />}
        </div>
      )}
    </Dialog>
  );
}
