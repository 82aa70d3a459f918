// Who an opponent looks like: a peg doll, painted by hand for those we know, by its name for all others.

export type Paint =
  | "red"
  | "blue"
  | "yellow"
  | "green"
  | "walnut"
  | "ink"
  | "cream"
  | "felt"
  | "plum";
export type Hair =
  | "bald"
  | "bowl"
  | "bob"
  | "curls"
  | "bun"
  | "tuft"
  | "parted"
  | "long"
  | "cap"
  | "beret"
  | "hat"
  | "wreath"
  | "crown"
  | "hood";
export type Eyes = "dots" | "wide" | "calm" | "wink" | "stern";
export type Mouth = "smile" | "grin" | "line" | "oh" | "smirk";
export type Extra =
  | "none"
  | "glasses"
  | "monocle"
  | "moustache"
  | "beard"
  | "freckles"
  | "earrings";
export type Coat = "plain" | "buttons" | "bow" | "scarf" | "stripes" | "ruff" | "collar";

export interface Face {
  /** Behind it. */
  ground: Paint;
  /** Which wood it is turned of: 0 is the lightest. */
  wood: 0 | 1 | 2 | 3;
  hair: Hair;
  hairPaint: Paint;
  eyes: Eyes;
  mouth: Mouth;
  extra: Extra;
  coat: Coat;
  coatPaint: Paint;
}

const PAINTS: readonly Paint[] = [
  "red",
  "blue",
  "yellow",
  "green",
  "walnut",
  "felt",
  "plum",
  "cream",
];
const HAIRS: readonly Hair[] = [
  "bowl",
  "bob",
  "curls",
  "bun",
  "tuft",
  "parted",
  "long",
  "cap",
  "beret",
  "hat",
  "wreath",
  "hood",
];
const HAIR_PAINTS: readonly Paint[] = ["walnut", "ink", "red", "yellow", "cream", "plum"];
const EYES: readonly Eyes[] = ["dots", "wide", "calm", "wink", "stern"];
const MOUTHS: readonly Mouth[] = ["smile", "grin", "line", "oh", "smirk"];
const EXTRAS: readonly Extra[] = [
  "none",
  "none",
  "glasses",
  "monocle",
  "moustache",
  "beard",
  "freckles",
  "earrings",
];
const COATS: readonly Coat[] = ["plain", "buttons", "bow", "scarf", "stripes", "ruff", "collar"];
const WOODS = [0, 1, 2, 3] as const;

const face = (
  ground: Paint,
  wood: Face["wood"],
  [hair, hairPaint]: readonly [Hair, Paint],
  [eyes, mouth, extra]: readonly [Eyes, Mouth, Extra],
  [coat, coatPaint]: readonly [Coat, Paint],
): Face => ({ ground, wood, hair, hairPaint, eyes, mouth, extra, coat, coatPaint });

/** By what they are called; who plays several games has one face. */
const KNOWN: Record<string, Face> = {
  // Those who begin.
  Dot: face("yellow", 0, ["tuft", "red"], ["wide", "oh", "freckles"], ["plain", "blue"]),
  Pip: face("green", 1, ["cap", "red"], ["dots", "grin", "freckles"], ["stripes", "cream"]),
  Fern: face("cream", 0, ["wreath", "green"], ["calm", "smile", "none"], ["scarf", "felt"]),
  Olive: face("felt", 2, ["bob", "ink"], ["dots", "smile", "earrings"], ["collar", "yellow"]),
  Thalia: face("plum", 0, ["curls", "yellow"], ["wink", "grin", "none"], ["ruff", "red"]),
  // Those in between.
  Juno: face("blue", 3, ["long", "ink"], ["dots", "smirk", "earrings"], ["collar", "red"]),
  Wren: face("yellow", 1, ["bun", "walnut"], ["wide", "smile", "glasses"], ["buttons", "green"]),
  Ruler: face("red", 0, ["parted", "yellow"], ["stern", "line", "none"], ["stripes", "blue"]),
  Magpie: face("cream", 0, ["hood", "ink"], ["wink", "smirk", "none"], ["bow", "cream"]),
  Marlow: face("walnut", 1, ["hat", "ink"], ["calm", "line", "none"], ["collar", "walnut"]),
  Basil: face("green", 2, ["parted", "walnut"], ["dots", "smile", "moustache"], ["bow", "red"]),
  Rook: face("blue", 0, ["crown", "cream"], ["stern", "line", "beard"], ["plain", "ink"]),
  Brass: face("ink", 2, ["bald", "ink"], ["wide", "grin", "monocle"], ["buttons", "yellow"]),
  Calliope: face("yellow", 2, ["bun", "red"], ["calm", "smile", "earrings"], ["ruff", "cream"]),
  Lattice: face("felt", 1, ["bowl", "plum"], ["dots", "line", "glasses"], ["stripes", "yellow"]),
  // Those who are hard to beat.
  Sable: face("plum", 3, ["curls", "ink"], ["calm", "smirk", "none"], ["scarf", "ink"]),
  Anvil: face("walnut", 2, ["cap", "ink"], ["stern", "line", "beard"], ["buttons", "red"]),
  Ada: face("cream", 0, ["parted", "ink"], ["calm", "smile", "earrings"], ["ruff", "plum"]),
  Gioconda: face("felt", 1, ["long", "walnut"], ["calm", "smirk", "none"], ["plain", "walnut"]),
  Iago: face("red", 1, ["beret", "ink"], ["wink", "smirk", "moustache"], ["ruff", "ink"]),
  Mnemosyne: face("ink", 1, ["wreath", "yellow"], ["calm", "line", "none"], ["scarf", "cream"]),
  Vera: face("blue", 0, ["bob", "cream"], ["stern", "smile", "glasses"], ["collar", "ink"]),
  Leonardo: face("yellow", 1, ["beret", "red"], ["calm", "smile", "beard"], ["scarf", "walnut"]),
  Quintus: face("green", 3, ["crown", "yellow"], ["stern", "smirk", "none"], ["scarf", "red"]),
};

/** Numbers that only a name decides, one after the other. */
function lots(name: string): (below: number) => number {
  let state = 2166136261;
  for (const letter of name) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 16777619);
  return (below) => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

/** The same for the same name, always. */
export function faceOf(name: string): Face {
  const known = KNOWN[name];
  if (known) return known;
  const lot = lots(name);
  const one = <T>(of: readonly T[]): T => of[lot(of.length)] as T;
  const ground = one(PAINTS);
  const others = PAINTS.filter((paint) => paint !== ground);
  return {
    ground,
    wood: one(WOODS),
    hair: one(HAIRS),
    hairPaint: one(HAIR_PAINTS.filter((paint) => paint !== ground)),
    eyes: one(EYES),
    mouth: one(MOUTHS),
    extra: one(EXTRAS),
    coat: one(COATS),
    coatPaint: one(others),
  };
}
