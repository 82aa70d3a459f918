// What is kept, and what is not believed.
import { beforeEach, describe, expect, it } from "vitest";
import { keptStore } from "./store";

const isNumber = (kept: unknown): kept is number => typeof kept === "number";

beforeEach(() => localStorage.clear());

describe("a kept store", () => {
  it("remembers across pages", () => {
    keptStore("volume", 5, isNumber).set(7);
    expect(keptStore("volume", 5, isNumber).get()).toBe(7);
  });

  it.each(["not json", '"a string"', "null", ""])("does not believe %j", (kept) => {
    localStorage.setItem("parlour.volume", kept);
    expect(keptStore("volume", 5, isNumber).get()).toBe(5);
  });

  it("follows what another tab keeps", () => {
    const store = keptStore("volume", 5, isNumber);
    let told = 0;
    store.subscribe(() => {
      told += 1;
    });
    localStorage.setItem("parlour.volume", "9");
    window.dispatchEvent(new StorageEvent("storage", { key: "parlour.volume" }));
    expect([store.get(), told]).toEqual([9, 1]);
  });

  it("tells nobody when nothing changed", () => {
    const store = keptStore("volume", 5, isNumber);
    let told = 0;
    const leave = store.subscribe(() => {
      told += 1;
    });
    store.set(5);
    expect(told).toBe(0);
    store.set(6);
    leave();
    store.set(7);
    expect(told).toBe(1);
  });
});
