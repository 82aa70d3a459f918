// Everybody has a face, and keeps it.
import { expect, it } from "vitest";
import { faceOf } from "./face";

it("is the same for the same name, and another one for another", () => {
  const names = Array.from({ length: 40 }, (_, number) => `Newcomer ${number}`);
  const faces = names.map((name) => JSON.stringify(faceOf(name)));
  expect(names.map((name) => JSON.stringify(faceOf(name)))).toEqual(faces);
  expect(new Set(faces).size).toBe(names.length);
});

it("stands out from what is behind it", () => {
  for (const name of ["Twig", "Stem", "Urania", "Easy", "", "Ωmega"]) {
    const { ground, hairPaint, coatPaint } = faceOf(name);
    expect([hairPaint, coatPaint]).not.toContain(ground);
  }
});
