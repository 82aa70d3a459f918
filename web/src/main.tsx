// Where the page begins.
import "@/styles/index.css";
import { StrictMode, startTransition } from "react";
import { createRoot } from "react-dom/client";
import { App } from "@/app";
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

const root = document.getElementById("root");
if (root) {
  // In slices: a slow phone answers to a finger in between.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
