// Where the page begins.
import "@/styles/index.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App, pageAt } from "@/app";
import { watchPreferences } from "@/core/preferences";
import { listenForFirstTouch } from "@/core/sound";

// After an update on the server the old pieces are gone: a page that asks for one loads itself anew, once.
window.addEventListener("vite:preloadError", (event) => {
  const last = Number(sessionStorage.getItem("parlour.reloaded") ?? 0);
  if (Date.now() - last < 10_000) return;
  sessionStorage.setItem("parlour.reloaded", String(Date.now()));
  event.preventDefault();
  window.location.reload();
});

watchPreferences();
listenForFirstTouch();

function show(root: HTMLElement): void {
  // In slices: a slow phone answers to a finger in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}

const root = document.getElementById("root");
if (root) {
  // With its page, which was asked for together with this code: until then the document says what it is. If that does
  // not come, the app says so.
  const page = pageAt(window.location.pathname);
  void Promise.resolve(page?.load()).then(() => show(root));
}
