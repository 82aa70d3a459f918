// How the page is built, served while developing, and unit-tested.
/// <reference types="vitest/config" />
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { chunkOf, chunks } from "./scripts/chunks.ts";
import { documents } from "./scripts/documents.ts";

const server = `http://127.0.0.1:${process.env.PORT ?? process.env.WS_PORT ?? "8080"}`;

export default defineConfig({
  plugins: [react(), tailwindcss(), chunks(), documents()],
  resolve: { alias: { "@": fileURLToPath(new URL("./src", import.meta.url)) } },
  build: {
    target: "es2022",
    // Nothing becomes a data: address, so a strict content security policy holds.
    assetsInlineLimit: 0,
    // The size check reads which chunk needs which.
    manifest: true,
    modulePreload: { polyfill: false },
    // Small, and in every document: see scripts/documents.ts.
    cssCodeSplit: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Only what a group names: what a module needs may belong to another.
          includeDependenciesRecursively: false,
          groups: [{ name: chunkOf, debugName: "pages" }],
        },
      },
    },
  },
  server: {
    // `npm run dev` talks to a Parlour server running beside it.
    proxy: {
      "/api": server,
      "/.well-known": server,
      "/ws": { target: server, ws: true },
      "/party": { target: server, ws: true },
    },
  },
  test: {
    environment: "jsdom",
    include: ["src/**/*.test.{ts,tsx}"],
    setupFiles: ["src/test-setup.ts"],
    restoreMocks: true,
    isolate: false,
  },
});
