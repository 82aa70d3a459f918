// The name one plays under: the account's, or for who has none the one that was chosen.
import { useAskMe } from "@/core/me";
import { useSession } from "@/core/session";
import { useStore } from "@/core/store";
import { Field } from "@/ui/field";
import { chosenName, LONGEST_NAME, NAMELESS } from "./entrance";

/** The name as the server gets it; who has just come may have to wait until it is known. */
export function usePlayName(): () => Promise<string> {
  const chosen = useStore(chosenName).trim();
  const askMe = useAskMe();
  return async () => {
    const me = await askMe().catch(() => undefined);
    return me?.username || chosen || NAMELESS;
  };
}

/** Who is signed in has a name. */
export function NameField() {
  const chosen = useStore(chosenName);
  if (useSession() !== null) return null;
  return (
    <Field
      label="Your name"
      placeholder={NAMELESS}
      value={chosen}
      onChange={(event) => chosenName.set(event.target.value)}
      maxLength={LONGEST_NAME}
      autoComplete="nickname"
      spellCheck={false}
    />
  );
}
