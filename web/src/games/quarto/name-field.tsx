// The name one plays under: the account's, unless another one was chosen.
import { useMe } from "@/core/me";
import { useStore } from "@/core/store";
import { Field } from "@/ui/field";
import { chosenName, LONGEST_NAME, NAMELESS } from "./entrance";

/** The name as the server gets it. */
export function usePlayName(): string {
  const chosen = useStore(chosenName).trim();
  const me = useMe();
  return chosen || me?.username || NAMELESS;
}

export function NameField() {
  const chosen = useStore(chosenName);
  const me = useMe();
  return (
    <Field
      label="Your name"
      placeholder={me?.username ?? NAMELESS}
      value={chosen}
      onChange={(event) => chosenName.set(event.target.value)}
      maxLength={LONGEST_NAME}
      autoComplete="nickname"
      spellCheck={false}
    />
  );
}
