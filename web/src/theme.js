// Runs before the page is painted; src/core/preferences.ts keeps the same names afterwards.
(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(`parlour.${name}`);
    } catch {
      return null;
    }
  };
  const wants = (query) => matchMedia(query).matches;
  const root = document.documentElement;
  const theme = kept("theme");
  const dark = theme === '"dark"' || (theme !== '"light"' && wants("(prefers-color-scheme: dark)"));
  root.dataset.theme = dark ? "dark" : "light";
  if (kept("motion") === '"reduced"' || wants("(prefers-reduced-motion: reduce)")) {
    root.dataset.motion = "reduced";
  }
})();
