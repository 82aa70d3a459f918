// Options as a start page draws them: what is as usual is not named.
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { type Chosen, type Option, Options } from "./options";

const OFFERED: readonly Option[] = [
  { name: "rows", title: "Rows", kind: "number", default: 4, least: 2, most: 8, choices: [] },
  {
    name: "limit",
    title: "Time for a turn",
    kind: "choice",
    default: null,
    choices: [
      { value: null, label: "none" },
      { value: 30_000, label: "half a minute" },
    ],
  },
  { name: "tools", title: "Tools", kind: "switch", default: true, choices: [] },
];

function show() {
  const told = vi.fn();
  function Page() {
    const [chosen, setChosen] = useState<Chosen>({});
    told(chosen);
    return <Options options={OFFERED} chosen={chosen} choose={setChosen} />;
  }
  render(<Page />);
  return () => told.mock.lastCall?.[0];
}

it("draws a number, a choice and a switch, and tells what differs from the usual", async () => {
  const chosen = show();
  const user = userEvent.setup();
  expect(chosen()).toEqual({});
  const rows = screen.getByLabelText("Rows");
  await user.clear(rows);
  await user.type(rows, "6");
  await user.selectOptions(screen.getByLabelText("Time for a turn"), "half a minute");
  await user.click(screen.getByRole("checkbox", { name: /Tools/ }));
  expect(chosen()).toEqual({ rows: 6, limit: 30_000, tools: false });
  await user.selectOptions(screen.getByLabelText("Time for a turn"), "none");
  await user.click(screen.getByRole("checkbox", { name: /Tools/ }));
  expect(chosen()).toEqual({ rows: 6 });
});

it("says which numbers will do", async () => {
  show();
  const user = userEvent.setup();
  await user.type(screen.getByLabelText("Rows"), "2");
  expect(screen.getByText("A whole number, please, from 2 to 8.")).toBeTruthy();
});

it("takes no room where there is nothing to choose", () => {
  const { container } = render(<Options options={[]} chosen={{}} choose={() => undefined} />);
  expect(container.innerHTML).toBe("");
});
