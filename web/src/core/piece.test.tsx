import { render, screen } from "@testing-library/react";
import { Suspense, useState } from "react";
import { expect, it, vi } from "vitest";
import { piece } from "./piece";

let seen = 0;

function Card({ name }: { name: string }) {
  const [number] = useState(() => ++seen);
  return (
    <p>
      {name} {number}
    </p>
  );
}

const fetched = () => vi.fn(async () => ({ default: Card }));

it("is fetched when it is shown", async () => {
  const fetch = fetched();
  const Part = piece(fetch);
  expect(fetch).not.toHaveBeenCalled();
  render(
    <Suspense fallback="waiting">
      <Part name="ace" />
    </Suspense>,
  );
  expect(screen.queryByText("waiting")).not.toBeNull();
  expect((await screen.findByText(/ace/)).textContent).toContain("ace");
});

it("is shown at once when it is there", async () => {
  const Part = piece(fetched());
  await Part.load();
  render(
    <Suspense fallback="waiting">
      <Part name="king" />
    </Suspense>,
  );
  expect(screen.queryByText(/king/)).not.toBeNull();
  expect(screen.queryByText("waiting")).toBeNull();
});

it("stays what it is when it is drawn again after it has come", async () => {
  const Part = piece(fetched());
  const on = (name: string) => (
    <Suspense fallback="waiting">
      <Part name={name} />
    </Suspense>
  );
  const { rerender } = render(on("queen"));
  const number = (await screen.findByText(/queen/)).textContent?.split(" ")[1];
  rerender(on("jack"));
  expect(screen.getByText(/jack/).textContent).toBe(`jack ${number}`);
});
