import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import react from "@vitejs/plugin-react";
import { build } from "vite";
import { contentPlugin } from "./content-plugin.ts";
import { contractPlugin } from "./contract-plugin.ts";
import { i18nPlugins } from "./i18n-plugins.ts";

type Prerender = typeof import("../src/app/prerender.tsx");

const WEB_FOLDER = fileURLToPath(new URL("..", import.meta.url));
const ENTRY = "src/app/prerender.tsx";
/** Placeholder for the product's name, which only the server knows; it replaces it when it serves the page. */
export const PRODUCT = "{{product}}";
/** Placeholder for the address of the server. */
export const ORIGIN = "http://origin.invalid";

/**
 * Builds the site for Node, stubs browser globals, and passes its prerender functions to a callback. Returns its
 * result.
 */
export async function prerender<Result>(render: (site: Prerender) => Promise<Result>): Promise<Result> {
  // Inside node_modules, so that Node resolves the packages the build imports.
  const outDir = join(WEB_FOLDER, "node_modules", `.prerender-${process.pid}`);
  const restore = setGlobals();
  try {
    await build({
      root: WEB_FOLDER,
      configFile: false,
      logLevel: "error",
      plugins: [i18nPlugins(), contentPlugin(), contractPlugin(), react()],
      define: { "import.meta.env.PSEUDO_LOCALE": "false" },
      resolve: { alias: { "#": join(WEB_FOLDER, "src") } },
      build: { ssr: ENTRY, outDir, emptyOutDir: true, minify: false },
    });
    return await render((await import(pathToFileURL(join(outDir, "prerender.js")).href)) as Prerender);
  } finally {
    restore();
    rmSync(outDir, { recursive: true, force: true });
  }
}

/**
 * Stubs the browser globals that modules read on import and during rendering. `fetch` never settles. Returns an undo
 * function.
 */
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
  const previousDescriptors = Object.keys(globals).map(
    (key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)] as const,
  );
  for (const [key, value] of Object.entries(globals))
    Object.defineProperty(globalThis, key, { value, configurable: true, writable: true });
  return () => {
    for (const [key, descriptor] of previousDescriptors) {
      Reflect.deleteProperty(globalThis, key);
      if (descriptor) Object.defineProperty(globalThis, key, descriptor);
    }
  };
}
