// The options a game offers, from whatever the server says of them.
import type { Option, Value } from "@/table/options";

/** A list that says all of each; or by name what each is as usual, from which the rest is guessed. */
export function offeredIn(told: unknown): Option[] {
  if (Array.isArray(told)) {
    return (told as Option[]).map((option) => ({ ...option, choices: option.choices ?? [] }));
  }
  return Object.entries(told ?? {}).flatMap(([name, usual]) => guessed(name, usual as Value));
}

function guessed(name: string, usual: Value): Option[] {
  const words = name.replaceAll("_", " ");
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  if (typeof usual === "boolean") {
    return [{ name, title, kind: "switch", default: usual, choices: [] }];
  }
  // What else it could be is not known.
  if (typeof usual !== "number") return [];
  return [{ name, title, kind: "number", default: usual, choices: [] }];
}
