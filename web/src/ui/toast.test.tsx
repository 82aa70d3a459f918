import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { Toasts, toast } from "./toast";

afterEach(cleanup);

it("says at once what went wrong, and the rest in its turn", () => {
  render(<Toasts />);
  act(() => toast("It is your turn."));
  expect(screen.getByText("It is your turn.").closest("[aria-live=polite]")).not.toBeNull();
  expect(screen.queryByRole("alert")).toBeNull();
  act(() => toast("That column is full.", "bad"));
  expect(screen.getByRole("alert").textContent).toBe("That column is full.");
});
