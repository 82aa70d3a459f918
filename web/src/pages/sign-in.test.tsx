// The ways in that the server offers, and what a guest is told beforehand.
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { session } from "@/core/session";
import SignIn from "./sign-in";

const FIREBASE = { apiKey: "k", authDomain: "d", projectId: "p" };
const WARNING =
  "Guest accounts are stored in this browser only. Clearing browser data will lose your account and history.";

it.each([
  [true, FIREBASE],
  [true, null],
  [false, FIREBASE],
])("offers guests (%s) and Google (%o) as it is set up @A6 @A142", (guests, firebase) => {
  const queries = new QueryClient();
  queries.setQueryData(["config"], { games: [], guests, firebase });
  session.set(null);
  render(
    <QueryClientProvider client={queries}>
      <SignIn />
    </QueryClientProvider>,
  );
  const there = (words: string) => screen.queryByText(words) !== null;
  expect(there("Sign in with Google")).toBe(firebase !== null);
  expect(there("Play as guest")).toBe(guests);
  expect(there(WARNING)).toBe(guests);
});
