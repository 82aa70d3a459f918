// What a visitor chose once and keeps: theme, sound, how much moves.
import { keptStore, useStore } from "./store";

export type Theme = "light" | "dark" | "system";
export type Motion = "full" | "reduced";

const oneOf =
  <T extends string>(...names: T[]) =>
  (kept: unknown): kept is T =>
    names.includes(kept as T);

export const theme = keptStore<Theme>("theme", "system", oneOf("light", "dark", "system"));
export const motion = keptStore<Motion>("motion", "full", oneOf("full", "reduced"));
export const soundOn = keptStore<boolean>("sound", true, (kept) => typeof kept === "boolean");

const darkRoom = window.matchMedia("(prefers-color-scheme: dark)");
const calmSystem = window.matchMedia("(prefers-reduced-motion: reduce)");

function apply(): void {
  const root = document.documentElement;
  const dark = theme.get() === "dark" || (theme.get() === "system" && darkRoom.matches);
  root.dataset.theme = dark ? "dark" : "light";
  if (isCalm()) root.dataset.motion = "reduced";
  else delete root.dataset.motion;
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute("content", dark ? "#161a2b" : "#fff6e5");
}

/** True when things should take their end form at once: the visitor or the system asks for it. */
export function isCalm(): boolean {
  return motion.get() === "reduced" || calmSystem.matches;
}

export function useCalm(): boolean {
  useStore(motion);
  return isCalm();
}

export function watchPreferences(): void {
  theme.subscribe(apply);
  motion.subscribe(apply);
  darkRoom.addEventListener("change", apply);
  calmSystem.addEventListener("change", apply);
  apply();
}
