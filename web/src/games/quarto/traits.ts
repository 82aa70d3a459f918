// The four traits of a piece, in words. A piece's number is its traits: bits for dark, square, hollow, tall.

export interface Traits {
  dark: boolean;
  square: boolean;
  hollow: boolean;
  tall: boolean;
}

/** In the order in which one says them: tall, dark, square, hollow. */
const WORDS = [
  { bit: 8, has: "tall", lacks: "short" },
  { bit: 1, has: "dark", lacks: "light" },
  { bit: 2, has: "square", lacks: "round" },
  { bit: 4, has: "hollow", lacks: "solid" },
] as const;

export function traitsOf(piece: number): Traits {
  return {
    dark: (piece & 1) !== 0,
    square: (piece & 2) !== 0,
    hollow: (piece & 4) !== 0,
    tall: (piece & 8) !== 0,
  };
}

const words = (piece: number): string[] =>
  WORDS.map(({ bit, has, lacks }) => (piece & bit ? has : lacks));

/** "tall, dark, square, hollow" */
export const traitsInWords = (piece: number): string => words(piece).join(", ");

export const capitalized = (words: string): string =>
  words.charAt(0).toUpperCase() + words.slice(1);

/** "Tall, dark, square, hollow" */
export const pieceName = (piece: number): string => capitalized(traitsInWords(piece));

/** What all of them are, for telling why a line has won. */
export function sharedWords(pieces: readonly number[]): string[] {
  const [first, ...others] = pieces;
  if (first === undefined) return [];
  return words(first).filter((word) => others.every((piece) => words(piece).includes(word)));
}

/** "tall", "tall and dark", "tall, dark and hollow" */
export function listed(parts: readonly string[]): string {
  const last = parts.at(-1) ?? "";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} and ${last}`;
}

/** How the pieces lie in their tray: alike beside alike, the tall ones behind. */
export const TRAY_ORDER: readonly number[] = [8, 0].flatMap((tall) =>
  [1, 0].flatMap((dark) =>
    [2, 0].flatMap((square) => [0, 4].map((hollow) => tall | dark | square | hollow)),
  ),
);
