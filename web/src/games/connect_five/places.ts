// Places on the board and how they are called: columns A to N, rows 1 to 14 from the top.

import { toolOf } from "./tools";
import type { MoveType } from "./wire";

export const SIZE = 14;

export interface Place {
  x: number;
  y: number;
}

export const LETTERS = "ABCDEFGHIJKLMN";

export const placeName = ({ x, y }: Place): string => `${LETTERS[x]}${y + 1}`;
export const samePlace = (a: Place, b: Place): boolean => a.x === b.x && a.y === b.y;
export const isOnBoard = ({ x, y }: Place): boolean => x >= 0 && x < SIZE && y >= 0 && y < SIZE;
export const toPlace = ([x, y]: readonly number[]): Place => ({ x: x ?? 0, y: y ?? 0 });

/** The cells a tool would cover there, those beside the board left out. */
export function footprint(type: MoveType, at: Place): Place[] {
  return toolOf(type)
    .shape.map(([dx, dy]) => ({ x: at.x + dx, y: at.y + dy }))
    .filter(isOnBoard);
}

/** Where the server's mask for a tool has a 1. */
export const placesOf = (mask: string | undefined): Place[] =>
  [...(mask ?? "")].flatMap((mark, cell) =>
    mark === "1" ? [{ x: cell % SIZE, y: Math.floor(cell / SIZE) }] : [],
  );
