import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));

/** Bytes, minified and gzipped, that are loaded at once by what a program imports, and all that may follow. */
async function measureSize(program: string): Promise<{ initial: number; total: number }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: here, loader: "ts" },
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    outdir: "out",
    absWorkingDir: here,
  });
  const bytes = (name: string) =>
    gzipSync(outputFiles.find(({ path }) => path.endsWith(name))?.contents ?? new Uint8Array()).length;
  const initial = new Set<string>();
  const visit = (name: string): void => {
    if (initial.has(name)) return;
    initial.add(name);
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) if (kind !== "dynamic-import") visit(path);
  };
  const names = Object.keys(metafile.outputs);
  visit(names.find((name) => metafile.outputs[name]?.entryPoint === "<stdin>") ?? "");
  const sum = (some: Iterable<string>) => [...some].reduce((total, name) => total + bytes(name), 0);
  return { initial: sum(initial), total: sum(names) };
}

test.each([
  ["the client with all calls", `export { createFeather } from "./index.ts"`, 13_450, 19_470],
  [
    "the client with OAuth",
    `export { createFeather } from "./index.ts"; export { createOAuth } from "./oauth.ts"`,
    14_680,
    20_700,
  ],
])("%s stays within its budget", async (_, program, initial, total) => {
  const size = await measureSize(program);
  expect(size.initial).toBeLessThanOrEqual(initial);
  expect(size.total).toBeLessThanOrEqual(total);
});
