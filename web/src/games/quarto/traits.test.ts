// Pieces in words, and what a line has in common.
import { describe, expect, it } from "vitest";
import { listed, pieceName, sharedWords, TRAY_ORDER } from "./traits";

describe("a piece", () => {
  it("is named by its four traits", () => {
    expect(pieceName(15)).toBe("Tall, dark, square, hollow");
    expect(pieceName(0)).toBe("Short, light, round, solid");
    expect(pieceName(9)).toBe("Tall, dark, round, solid");
  });

  it("has its own name and its own slot", () => {
    expect(new Set(TRAY_ORDER.map(pieceName)).size).toBe(16);
  });
});

describe("a line", () => {
  it("is told by all that its pieces share, also by what they lack", () => {
    expect(sharedWords([8, 9, 10, 12])).toEqual(["tall"]);
    expect(sharedWords([0, 1, 2, 3])).toEqual(["short", "solid"]);
    expect(sharedWords([15, 0, 9, 6])).toEqual([]);
  });

  it("is listed as one would say it", () => {
    expect(listed(["tall"])).toBe("tall");
    expect(listed(["tall", "dark", "hollow"])).toBe("tall, dark and hollow");
  });
});
