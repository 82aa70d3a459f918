// The way to the next page of a list that grows downwards; nothing where there is none.
import { Button } from "./button";

interface ShowOlderProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** Where what follows is not older. */
  label?: string;
}

export function ShowOlder({ list, label = "Show older" }: ShowOlderProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      size="small"
      className="mt-4"
      disabled={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      {label}
    </Button>
  );
}
