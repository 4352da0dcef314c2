import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressPlugin } from "./build/compress-plugin.ts";
import { contentPlugin } from "./build/content-plugin.ts";
import { contractPlugin } from "./build/contract-plugin.ts";
import { i18nPlugin } from "./build/i18n-plugin.ts";
import { leanRouterPlugin } from "./build/lean-router-plugin.ts";
import { manifestPlugin } from "./build/manifest-plugin.ts";
import { preloadPlugin } from "./build/preload-plugin.ts";

const FIRST_PAGES = /assets\/(home|models?|docs|pricing)-[\w-]+\.js$/;
/** The made-up language by which one sees what cannot be translated: in tests, and where a build asks for it. */
const pseudo = process.env.VITEST !== undefined || process.env.FEATHER_PSEUDO_LOCALE === "on";
const API = "http://127.0.0.1:4000";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    i18nPlugin({ pseudo }),
    contentPlugin(),
    contractPlugin(),
    manifestPlugin(),
    preloadPlugin(),
    leanRouterPlugin(),
    compressPlugin(),
    react(),
    tailwindcss(),
  ],
  resolve: { alias: { "#": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": API, "/v1": API } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    sourcemap: false,
    // Lists of what to load beside a page weigh on every visit: only pages on which visits begin have one.
    modulePreload: { polyfill: false, resolveDependencies: (page, files) => (FIRST_PAGES.test(page) ? files : []) },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
  },
});
