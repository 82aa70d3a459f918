// Finding somebody to play with by the beginning of their name.
import { clsx } from "clsx";
import { UserRoundCheck } from "lucide-react";
import { type KeyboardEvent, useDeferredValue, useId, useState } from "react";
import { usePeople } from "@/core/people";
import type { Person } from "@/core/wire";
import { Avatar } from "./avatar";

interface PeopleFieldProps {
  label?: string;
  chosen: Person | null;
  onChoose: (person: Person | null) => void;
  problem: string | null;
}

export function PeopleField({ label = "Opponent", chosen, onChoose, problem }: PeopleFieldProps) {
  const id = useId();
  const [text, setText] = useState(chosen?.username ?? "");
  const [at, setAt] = useState(0);
  const [open, setOpen] = useState(false);
  const prefix = useDeferredValue(text.trim());
  const looking = chosen === null && prefix !== "";
  const { data: found = [], isFetched } = usePeople(prefix, looking);
  const shown = open && looking && found.length > 0;

  const choose = (person: Person) => {
    setText(person.username);
    setOpen(false);
    onChoose(person);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && shown) setOpen(false);
    else if (!shown) return;
    else if (event.key === "ArrowDown") setAt((at + 1) % found.length);
    else if (event.key === "ArrowUp") setAt((at + found.length - 1) % found.length);
    else if (event.key === "Enter" && found[at]) choose(found[at]);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const nobody = looking && isFetched && found.length === 0;
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-base font-bold">
        {label}
      </label>
      <div className="relative">
        <input
          id={id}
          role="combobox"
          aria-expanded={shown}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={shown ? `${id}-${at}` : undefined}
          aria-invalid={problem ? true : undefined}
          aria-describedby={`${id}-note`}
          autoComplete="off"
          spellCheck={false}
          placeholder="Their name"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
            setOpen(true);
            onChoose(null);
          }}
          onFocus={() => setOpen(true)}
          onBlur={() => setOpen(false)}
          onKeyDown={onKeyDown}
          className="well text-display min-h-13 w-full px-4 text-xl text-text placeholder:font-normal placeholder:text-soft/70"
        />
        {chosen && (
          <UserRoundCheck
            aria-hidden="true"
            className="absolute top-3.5 right-4 size-6 text-text-green"
          />
        )}
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label="People"
          className={clsx(
            "plastic absolute inset-x-0 top-full z-10 mt-1 max-h-64 overflow-y-auto rounded-xl p-1.5",
            !shown && "hidden",
          )}
        >
          {found.map((person, index) => (
            <div
              key={person.id}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === at}
              tabIndex={-1}
              // Before the field loses the focus, and with it the list.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(person);
              }}
              className={clsx(
                "flex min-h-11 cursor-pointer items-center gap-3 rounded-lg px-2.5 text-lg font-bold",
                index === at && "bg-well",
              )}
            >
              <Avatar name={person.username} className="size-8" />
              {person.username}
            </div>
          ))}
        </div>
      </div>
      <p
        id={`${id}-note`}
        aria-live="polite"
        className={clsx("min-h-6 text-base", problem ? "font-bold text-text-red" : "text-soft")}
      >
        {problem ?? (nobody ? "Nobody’s name begins like that." : "")}
      </p>
    </div>
  );
}
