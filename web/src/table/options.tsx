// What players may choose before a game begins, drawn from what the server offers.
import { clsx } from "clsx";
import { useId, useState } from "react";
import { Field } from "@/ui/field";

export type Value = number | string | boolean | null;

export interface Option {
  name: string;
  title: string;
  description?: string | null;
  kind: "number" | "choice" | "switch";
  /** What it is when nobody chooses. */
  default: Value;
  least?: number | null;
  most?: number | null;
  choices: readonly { value: Value; label: string }[];
}

/** What was chosen; what is as usual is not named. */
export type Chosen = Readonly<Record<string, Value>>;

interface OptionsProps {
  options: readonly Option[];
  chosen: Chosen;
  choose: (chosen: Chosen) => void;
}

export function Options({ options, chosen, choose }: OptionsProps) {
  if (options.length === 0) return null;
  const set = (option: Option, value: Value) => {
    const { [option.name]: _, ...others } = chosen;
    choose(value === option.default ? others : { ...others, [option.name]: value });
  };
  return (
    <fieldset className={clsx("grid gap-x-4 gap-y-1", options.length > 1 && "sm:grid-cols-2")}>
      <legend className="sr-only">Options</legend>
      {options.map((option) => (
        <Control
          key={option.name}
          option={option}
          value={chosen[option.name] ?? option.default}
          set={(value) => set(option, value)}
        />
      ))}
    </fieldset>
  );
}

interface ControlProps {
  option: Option;
  value: Value;
  set: (value: Value) => void;
}

function Control(props: ControlProps) {
  if (props.option.kind === "switch") return <Switch {...props} />;
  return props.option.kind === "choice" ? <Choice {...props} /> : <Amount {...props} />;
}

function Amount({ option, value, set }: ControlProps) {
  const { title, description, least, most } = option;
  // What is typed may be no number yet; meanwhile it is as usual.
  const [text, setText] = useState(String(value ?? ""));
  const bounds = least != null && most != null ? `${least} to ${most}` : "";
  const given = Number(text);
  const outside = (least != null && given < least) || (most != null && given > most);
  const wrong = text === "" || !Number.isInteger(given) || outside;
  return (
    <Field
      type="number"
      inputMode="numeric"
      label={title}
      hint={description ?? bounds}
      problem={wrong ? `A whole number, please${bounds && `, from ${bounds}`}.` : null}
      {...(least != null && { min: least })}
      {...(most != null && { max: most })}
      value={text}
      onChange={({ target }) => {
        setText(target.value);
        set(Number.isInteger(target.valueAsNumber) ? target.valueAsNumber : option.default);
      }}
    />
  );
}

function Choice({ option: { title, description, choices }, value, set }: ControlProps) {
  const id = useId();
  return (
    <div className="flex flex-col gap-1.5">
      <label htmlFor={id} className="text-base font-bold">
        {title}
      </label>
      <select
        id={id}
        aria-describedby={description == null ? undefined : `${id}-note`}
        className="well text-display min-h-13 w-full px-4 text-xl text-text"
        value={choices.findIndex((choice) => choice.value === value)}
        onChange={({ target }) => set(choices[Number(target.value)]?.value ?? null)}
      >
        {choices.map((choice, index) => (
          <option key={choice.label} value={index}>
            {choice.label}
          </option>
        ))}
      </select>
      {description != null && (
        <p id={`${id}-note`} className="text-base text-soft">
          {description}
        </p>
      )}
    </div>
  );
}

function Switch({ option: { title, description }, value, set }: ControlProps) {
  const id = useId();
  return (
    <label className="flex min-h-13 items-center gap-3 self-center text-base">
      <input
        type="checkbox"
        aria-describedby={`${id}-note`}
        className="size-6 shrink-0 accent-green-dark"
        checked={value === true}
        onChange={({ target }) => set(target.checked)}
      />
      <span>
        <span className="block font-bold">{title}</span>
        <span id={`${id}-note`} className="text-soft">
          {description}
        </span>
      </span>
    </label>
  );
}
