import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compressPlugin } from "./build/compress-plugin.ts";
import { contentPlugin } from "./build/content-plugin.ts";
import { contractPlugin } from "./build/contract-plugin.ts";
import { fontPlugin } from "./build/font-plugin.ts";
import { i18nPlugins } from "./build/i18n-plugins.ts";
import { manifestPlugin } from "./build/manifest-plugin.ts";
import { preloadPlugin } from "./build/preload-plugin.ts";

const LANDING_PAGE_CHUNKS = /assets\/(home|models?|docs|pricing)-[\w-]+\.js$/;
/**
 * Modules that every page needs go into one chunk: it compresses better and seldom changes. They are listed, because the
 * other ways load more. In gzip, the home page loads 160 kB with this list, 167 kB without a group, and 244 kB with the group of
 * all modules that 20 chunks share (`minShareCount`). First visits are limited to
 * 172 kB (`e2e/web/first-visit.test.ts`). Modules of the libraries that only some pages need are left out of the chunk.
 */
const VENDOR_MODULES = [
  /node_modules[/\\](react|react-dom|scheduler|react-router|react-router-dom)[/\\]/,
  /@tanstack[/\\]query-core[/\\].*[/\\](?!infinite|queriesObserver|mutationObserver|hydration|streamed)\w+\.js$/,
  /@tanstack[/\\]react-query[/\\].*[/\\](?!use(Queries|Mutation|Infinite|Suspense|Prefetch)|Hydration)\w+\.js$/,
  /@lingui[/\\]react[/\\]|use-sync-external-store[/\\]shim$/,
  /web[/\\]src[/\\](lib[/\\](cookies|error-message|feather|product|storage|theme|toast|use-action|use-is-hydrating|use-is-retrying)\.ts|i18n[/\\]trans\.tsx|components[/\\]ui[/\\]dialogs[/\\]dialog\.tsx)$/,
  /node_modules[/\\]openapi-fetch[/\\]/,
  /packages[/\\]sdk[/\\]src[/\\](?!(format|stream|structured|oauth|msw|zod|tools|chat-imports|prompts)\b)/,
];
const isVendorModule = (id: string) => VENDOR_MODULES.some((pattern) => pattern.test(id));
/** Whether to include the pseudo-locale that reveals untranslated texts: in tests, and on request in a build. */
const pseudo = process.env.VITEST !== undefined || process.env.FEATHER_PSEUDO_LOCALE === "on";
const API = "http://127.0.0.1:4000";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  plugins: [
    i18nPlugins(),
    contentPlugin(),
    contractPlugin(),
    manifestPlugin(),
    preloadPlugin(),
    fontPlugin(),
    compressPlugin(),
    react(),
  ],
  define: { "import.meta.env.PSEUDO_LOCALE": JSON.stringify(pseudo) },
  resolve: { alias: { "#": fileURLToPath(new URL("./src", import.meta.url)) } },
  server: { proxy: { "/api": API, "/v1": API, "/llms.txt": API, "^/docs/.+\\.md$": API } },
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    sourcemap: false,
    // Preload lists add to the entry chunk: only pages on which visits usually start have one.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (page, files) => (LANDING_PAGE_CHUNKS.test(page) ? files : []),
    },
    // Plugin timings are noise for anyone who only starts the server.
    rolldownOptions: {
      checks: { bundlerTimings: false },
      output: { codeSplitting: { groups: [{ name: "vendor", test: isVendorModule }] } },
    },
    // One style sheet: a prerendered page has all its styles before its scripts run.
    cssCodeSplit: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
  },
});
