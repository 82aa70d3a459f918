// Connect Five's requests, answers and news, in the server's own types.
import type { components } from "@/core/openapi.gen";
import type { components as sockets } from "@/core/sockets.gen";

type Schemas = components["schemas"];

export type { Person } from "@/core/wire";
export type Challenge = Schemas["Challenge"];
export type ChallengePage = Schemas["ChallengePage"];
export type NewChallenge = Schemas["NewChallenge"];
export type Match = Schemas["MatchSnapshot"];
export type MatchPage = Schemas["MatchPage"];
export type MatchPlayer = Schemas["MatchPlayer"];
export type MatchEvent = Schemas["MatchEvent"];
export type EventPage = Schemas["EventPage"];
export type AfterMove = Schemas["AfterMove"];
export type AfterPurchase = Schemas["AfterPurchase"];
export type MoveType = Schemas["LastMove"]["move_type"];
export type SpecialType = Exclude<MoveType, "SINGLE">;
/** What `/ws/connect-five/{user_id}` says. */
export type Heard = sockets["schemas"]["ConnectFiveHeard"];
