/**
 * Builds the program into `dist` as a few bundled files, for a fast start. The SDK and everything that every start needs is
 * bundled; packages that are loaded on demand stay external.
 */
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

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

rmSync(here("dist"), { recursive: true, force: true });
await build({
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
  external: ["conf", "ink", "jq-wasm", "open", "react", "undici", "yaml"],
  tsconfig: here("tsconfig.json"),
  plugins: [stubChildProcess],
  logLevel: "warning",
});
