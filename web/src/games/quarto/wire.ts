// Quarto's socket: what it says and takes. The types come from the server's own messages.
import type { components } from "@/core/sockets.gen";

type Schemas = components["schemas"];

export type Game = Schemas["QuartoGame"];
export type Player = Schemas["QuartoPlayer"];
export type HistoryEntry = Schemas["QuartoHistoryEntry"];
export type Heard = Schemas["QuartoHeard"];
export type Said = Schemas["QuartoSaid"];
export type Opponent = NonNullable<Schemas["QuartoCreateRoom"]["opponent"]>;
export type { Seat } from "@/core/wire";
/** What is done in the game itself. */
export type Move = Extract<Said, { type: "SELECT_PIECE" | "PLACE_PIECE" | "CALL_QUARTO" }>;

const CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const CODE_LENGTH = 6;

/** Rooms are named by whoever opens them; letters that look alike are left out. */
export function newCode(): string {
  const chance = crypto.getRandomValues(new Uint8Array(CODE_LENGTH));
  return [...chance].map((byte) => CODE_LETTERS[byte % CODE_LETTERS.length]).join("");
}

/** Where rooms are, when that is not the server the page came from. */
export const ROOM_HOST: string | undefined = import.meta.env.VITE_PARTYKIT_HOST || undefined;
export const roomPath = (code: string): string => `/party/${code}`;
