// A table as a transport would hand it over, for tests.
import type { Person, TableModel } from "./model";

const person = (name: string): Person => ({ name, bot: false, rating: 1000, presence: null });

export function testTable(changes: Partial<TableModel> = {}): TableModel {
  return {
    id: "m1",
    players: [person("Anna"), { ...person("Bert"), presence: "here" }],
    seats: [0],
    turn: 0,
    time: null,
    view: null,
    legal: [],
    chosen: null,
    told: null,
    task: null,
    ended: null,
    next: null,
    others: [],
    act: () => undefined,
    resign: null,
    claim: null,
    ...changes,
  };
}
