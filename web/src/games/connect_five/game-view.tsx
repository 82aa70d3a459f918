// One challenge by its address: the challenge itself until there is a match, the table from then on.
import { useQuery } from "@tanstack/react-query";
import { Redirect } from "wouter";
import { ApiError } from "@/core/api";
import { useMe } from "@/core/me";
import { sayError } from "@/core/words";
import { Lost } from "@/pages/lost";
import { SettingUp } from "@/table/no-table";
import { calls } from "./calls";
import { newer, seatOf } from "./match";
import { MatchTable } from "./match-table";
import { keys } from "./news";
import { Pending } from "./pending";
import type { Match } from "./wire";

export function GameView({ challengeId }: { challengeId: string }) {
  const me = useMe();
  const challenge = useQuery({
    queryKey: keys.challenge(challengeId),
    queryFn: ({ signal }) => calls.challenge(challengeId, signal),
  });
  const matchId = challenge.data?.match_id ?? null;
  const match = useQuery({
    queryKey: keys.match(matchId),
    queryFn: ({ signal }) => calls.match(matchId ?? 0, signal),
    structuralSharing: (held, come) => newer(held as Match | undefined, come as Match),
    enabled: matchId !== null,
  });
  // Other parts of the server know it by a long id; here it has one address, and news by that.
  if (challenge.data && String(challenge.data.id) !== challengeId) {
    return <Redirect to={`/games/${challenge.data.id}`} replace />;
  }
  const error = challenge.error ?? match.error;
  if (error instanceof ApiError && error.status === 404) {
    return (
      <Lost title="There is no such game">
        Only the two who play may see it. Yours are all listed under Connect Five.
      </Lost>
    );
  }
  if (me && match.data)
    return <MatchTable match={match.data} seat={seatOf(match.data, me.number)} />;
  if (me && challenge.data && matchId === null) {
    return <Pending challenge={challenge.data} userId={me.number} />;
  }
  return (
    <SettingUp title="Connect Five" label={error ? sayError(error) : "Setting up the board"} />
  );
}
