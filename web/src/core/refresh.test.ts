import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { amend, hold, refresh } from "./refresh";

const KEY = ["list"];

/** A list on a server that answers when it is told to, with what was true when it was asked. */
function slowServer() {
  const state = { list: ["old"] };
  const asked: (() => void)[] = [];
  const queries = new QueryClient();
  const shown = new QueryObserver(queries, {
    queryKey: KEY,
    queryFn: () => {
      const then = [...state.list];
      return new Promise<string[]>((resolve) => asked.push(() => resolve(then)));
    },
  });
  shown.subscribe(() => undefined);
  const answerAll = async () => {
    for (let turn = 0; turn < 5; turn++) {
      for (const answer of asked.splice(0)) answer();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  return { state, queries, shown, answerAll };
}

test("a first answer that is older than the news does not stay", async () => {
  const { state, queries, shown, answerAll } = slowServer();
  state.list = ["new", "old"];
  void refresh(queries, KEY);
  await answerAll();
  expect(shown.getCurrentResult().data).toEqual(["new", "old"]);
});

test("what is held is changed without asking", async () => {
  const { queries, shown, answerAll } = slowServer();
  await answerAll();
  amend<string[]>(queries, KEY, (list) => ["new", ...list]);
  expect(shown.getCurrentResult().data).toEqual(["new", "old"]);
});

test("what is not held yet is asked for again", async () => {
  const { state, queries, shown, answerAll } = slowServer();
  state.list = ["new", "old"];
  amend<string[]>(queries, KEY, (list) => ["new", ...list]);
  await answerAll();
  expect(shown.getCurrentResult().data).toEqual(["new", "old"]);
});

test("an answer under way that is older than a change does not undo it", async () => {
  const { state, queries, shown, answerAll } = slowServer();
  await answerAll();
  void shown.refetch();
  state.list = ["new", "old"];
  amend<string[]>(queries, KEY, (list) => ["new", ...list]);
  expect(shown.getCurrentResult().data).toEqual(["new", "old"]);
  await answerAll();
  expect(shown.getCurrentResult().data).toEqual(["new", "old"]);
});

interface Numbered {
  version: number;
}
const later = (held: Numbered | undefined, come: Numbered) =>
  held && held.version > come.version ? held : come;

test("what came is held unless something later is", () => {
  const queries = new QueryClient();
  expect(hold(queries, KEY, { version: 2 }, later)).toBe(true);
  expect(hold(queries, KEY, { version: 1 }, later)).toBe(false);
  expect(queries.getQueryData(KEY)).toEqual({ version: 2 });
});

test("an answer under way that is older than what came does not replace it", async () => {
  const { state, queries, shown, answerAll } = slowServer();
  state.list = ["new", "old"];
  hold(queries, KEY, ["new", "old"], (_, come) => come);
  expect(shown.getCurrentResult().data).toEqual(["new", "old"]);
  await answerAll();
  expect(shown.getCurrentResult().data).toEqual(["new", "old"]);
});
