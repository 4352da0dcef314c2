/**
 * Builds the program into `dist` as a few bundled files, for a fast start and a small installation. The SDK, commander, Ink and
 * React are bundled, with their licences; large packages that few commands need stay external.
 */
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { collectLicenses } from "./bundled-licenses.ts";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Commander imports `child_process` for subcommands in separate executables. There are none here, and loading it takes time. */
const stubChildProcess: Plugin = {
  name: "without-programs",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?child_process$/ }, ({ importer, kind }) =>
      kind === "import-statement" && importer.includes("commander") ? { path: "none", namespace: "none" } : null,
    );
    onLoad({ filter: /.*/, namespace: "none" }, () => ({
      contents: "export default {}; export const spawn = undefined;",
    }));
  },
};

/** Ink imports React's developer tools when the environment asks for them, which an installation does not have. */
const stubDevtools: Plugin = {
  name: "without-devtools",
  setup({ onResolve }) {
    onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "none", namespace: "none" }));
  },
};

rmSync(here("dist"), { recursive: true, force: true });
const { metafile } = await build({
  entryPoints: [here("src/main.ts"), here("src/update/look-up.ts")],
  outdir: here("dist"),
  outbase: here("src"),
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  minifySyntax: true,
  chunkNames: "parts/[name]-[hash]",
  external: ["conf", "jq-wasm", "open", "undici", "yaml"],
  // Ink reads DEV, which people set for their own programs.
  define: { "process.env.NODE_ENV": '"production"', "process.env.DEV": '"false"' },
  // Bundled packages of CommonJS call `require`.
  banner: {
    js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
  },
  metafile: true,
  absWorkingDir: here("."),
  tsconfig: here("tsconfig.json"),
  plugins: [stubChildProcess, stubDevtools],
  logLevel: "warning",
});
// Inputs with a colon are those of the plugins.
const files = Object.keys(metafile.inputs).filter((name) => !name.includes(":"));
writeFileSync(here("dist/THIRD-PARTY-LICENSES.txt"), collectLicenses(files.map(here)));
