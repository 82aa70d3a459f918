// The balance over time, as it is drawn.
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { serverNow } from "@/core/clock";
import type { WalletEntry } from "@/core/wallet";
import { BalancePlot } from "./balance-plot";

const HOUR = 3_600_000;

const entry = (hoursAgo: number, balance: number): WalletEntry => ({
  id: hoursAgo,
  currency: "TNB",
  amount: 100,
  direction: "credit",
  action: "grant",
  balance,
  challenge: null,
  created_date: new Date(serverNow() - hoursAgo * HOUR).toISOString(),
});

it("keeps a balance for as long as it stood", () => {
  render(<BalancePlot entries={[entry(1, 300), entry(2, 200), entry(50, 100)]} />);
  const plot = screen.getByRole("img", { name: /between 100 TNB and 300 TNB, now 300 TNB/ });
  const steps = plot.querySelector("path[fill=none]")?.getAttribute("d") ?? "";
  const [, two, one, now] = [...steps.matchAll(/H([\d.]+)/g)].map(([, x]) => Number(x));
  expect(now).toBe(600);
  expect(two).toBeGreaterThan(450);
  expect(one).toBeLessThan(590);
});
