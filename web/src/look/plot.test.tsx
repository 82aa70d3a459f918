// The line of a game is gone along by keys and by pointing, and marks what went wrong.
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { Plot } from "./plot";

function drawn(at: number) {
  const goTo = vi.fn();
  const values = [0, 0.5, -1, 1];
  render(<Plot moves={[]} values={values} at={at} words="Move 1." goTo={goTo} />);
  return { goTo, slider: screen.getByRole("slider") };
}

it("goes to the next, the one before, and the ends, and no farther", () => {
  const { goTo, slider } = drawn(3);
  for (const key of ["ArrowLeft", "ArrowRight", "Home", "End", "PageDown", "a"]) {
    fireEvent.keyDown(slider, { key });
  }
  expect(goTo.mock.calls).toEqual([[2], [3], [0], [3], [0]]);
  expect(slider.getAttribute("aria-valuetext")).toBe("Move 1.");
});

it("goes where one points, and follows only while one presses", () => {
  const { goTo, slider } = drawn(0);
  slider.getBoundingClientRect = () => new DOMRect(0, 0, 400, 100);
  fireEvent.pointerDown(slider, { clientX: 265, buttons: 1 });
  fireEvent.pointerMove(slider, { clientX: 395, buttons: 1 });
  fireEvent.pointerMove(slider, { clientX: 5, buttons: 0 });
  expect(goTo.mock.calls).toEqual([[2], [3]]);
});
