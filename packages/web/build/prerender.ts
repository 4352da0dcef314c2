import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { contentPlugin } from "./content-plugin.ts";
import { contractPlugin } from "./contract-plugin.ts";
import { i18nPlugin } from "./i18n-plugin.ts";

type Prerender = typeof import("../src/app/prerender.tsx");

const WEB = fileURLToPath(new URL("..", import.meta.url));
const ENTRY = "src/app/prerender.tsx";
/** Stands for what only the server knows. It fills these in. */
const PRODUCT = "{{product}}";
const ORIGIN = "http://origin.invalid";

/** Draws pages of the site in Node: builds them for it, and gives them what browsers have and they ask for. */
export async function prerender<Result>(draw: (site: Prerender) => Promise<Result>): Promise<Result> {
  // Below the packages that it needs, so that Node finds them.
  const outDir = join(WEB, "node_modules", `.prerender-${process.pid}`);
  const restore = setGlobals();
  try {
    await build({
      root: WEB,
      configFile: false,
      logLevel: "error",
      plugins: [i18nPlugin({ pseudo: false }), contentPlugin(), contractPlugin(), react()],
      resolve: { alias: { "#": join(WEB, "src") } },
      build: { ssr: ENTRY, outDir, emptyOutDir: true, minify: false },
    });
    return await draw((await import(pathToFileURL(join(outDir, "prerender.js")).href)) as Prerender);
  } finally {
    restore();
    rmSync(outDir, { recursive: true, force: true });
  }
}

/** What modules read of a browser as they begin, and while pages are drawn. Requests are never answered. */
function setGlobals(): () => void {
  const url = new URL(ORIGIN);
  const name = { getAttribute: () => PRODUCT };
  const globals = {
    location: { origin: url.origin, href: url.href, host: url.host, hostname: url.hostname, search: "", hash: "" },
    document: {
      querySelector: (selector: string) => (selector.includes("product-name") ? name : null),
      documentElement: { dataset: {}, lang: "en" },
      cookie: "",
    },
    window: { addEventListener: () => {}, removeEventListener: () => {}, matchMedia: () => ({ matches: false }) },
    localStorage: undefined,
    fetch: () => new Promise(() => {}),
  };
  const before = Object.keys(globals).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)] as const);
  for (const [key, value] of Object.entries(globals))
    Object.defineProperty(globalThis, key, { value, configurable: true, writable: true });
  return () => {
    for (const [key, descriptor] of before) {
      Reflect.deleteProperty(globalThis, key);
      if (descriptor) Object.defineProperty(globalThis, key, descriptor);
    }
  };
}
