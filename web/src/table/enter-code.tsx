// A friend's code, typed in.
import { Ticket } from "lucide-react";
import { type FormEvent, useState } from "react";
import { Button } from "@/ui/button";
import { Field } from "@/ui/field";

export const isCode = (text: string): boolean => /^[A-Z0-9]{6}$/.test(text);

interface EnterCodeProps {
  join: (code: string) => void;
  /** Why the last one did not do. */
  problem?: string | null;
  /** Another one is being typed. */
  changed?: () => void;
  disabled?: boolean;
}

export function EnterCode({ join, problem, changed, disabled = false }: EnterCodeProps) {
  const [code, setCode] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isCode(code.trim())) join(code.trim());
    else setWrong(true);
  };
  const said = wrong ? "A code has six letters or digits, like K7QF2M." : (problem ?? null);
  return (
    <form onSubmit={submit} className="grid grid-cols-[1fr_auto] items-end gap-x-3">
      <Field
        label="Got a code?"
        placeholder="K7QF2M"
        value={code}
        onChange={(event) => {
          setCode(event.target.value.toUpperCase());
          setWrong(false);
          changed?.();
        }}
        problem={said}
        maxLength={6}
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        className="tracking-[0.22em]"
      />
      <Button type="submit" className="mb-8" disabled={disabled || code.trim() === ""}>
        <Ticket aria-hidden="true" />
        <span>
          Join<span className="sr-only"> your friend</span>
        </span>
      </Button>
    </form>
  );
}
