// The power-ups as players read of them, by the id the server uses. A new one is one more entry in
// the data beside this, which a test of the server compares with the power-ups there are.
import known from "./power-ups.json";

export interface PowerUp {
  id: string;
  label: string;
  description: string;
  /** The pair that grants it, whose symbol stands for it. */
  pairId: number;
  /** It is used on a card that must be picked first. */
  targeted: boolean;
}

export const powerUps: readonly PowerUp[] = known;

/** One the page does not know is shown by its id, and works all the same. */
export function powerUp(id: string): PowerUp {
  return (
    powerUps.find((each) => each.id === id) ?? {
      id,
      label: id,
      description: "",
      pairId: 0,
      targeted: false,
    }
  );
}
