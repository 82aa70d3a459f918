// A seat kept for somebody by name.
import { Mail } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { Person } from "@/core/wire";
import { Button } from "@/ui/button";
import { PeopleField } from "@/ui/people-field";

interface InviteProps {
  invite: (person: Person) => void;
  disabled: boolean;
}

export function InviteSomebody({ invite, disabled }: InviteProps) {
  const [person, setPerson] = useState<Person | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (person) invite(person);
  };
  return (
    <form onSubmit={submit} className="grid grid-cols-[1fr_auto] items-end gap-x-3">
      <PeopleField label="Invite by name" chosen={person} onChoose={setPerson} problem={null} />
      <Button type="submit" className="mb-8" disabled={disabled || person === null}>
        <Mail aria-hidden="true" /> Invite
      </Button>
    </form>
  );
}
