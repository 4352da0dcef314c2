import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createFeather } from "@feather/sdk";
import { build } from "esbuild";
import type { BenchEnvironment } from "./environment.ts";
import { median, type ResultRow } from "./result-row.ts";

const WARM_UP_CALLS = 500;
const MEASURED_CALLS = 2_000;

/** Measures the size of the SDK, and the cost of a call compared to a bare `fetch`. */
export async function measureSdk(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { atOnce, withLazyParts } = await measureSdkBytes();
  const { sdk, bare } = await measureCallTimes(environment);
  return [
    {
      what: "SDK, minified and gzipped",
      measured: `${(atOnce / 1000).toFixed(1)} kB`,
      reference: `with streams: ${(withLazyParts / 1000).toFixed(1)} kB`,
      ratio: "",
      bar: "≤ 12 kB",
    },
    {
      what: "SDK, one call",
      measured: `${(sdk * 1000).toFixed(0)} µs`,
      reference: `bare fetch: ${(bare * 1000).toFixed(0)} µs`,
      ratio: (sdk / bare).toFixed(2),
      bar: "≤ 1.10",
    },
  ];
}

/** Returns the gzipped size of what `createFeather` loads at once, and of everything including lazy parts, in bytes. */
async function measureSdkBytes(): Promise<{ atOnce: number; withLazyParts: number }> {
  const contents = `export { createFeather } from ${JSON.stringify(fileURLToPath(import.meta.resolve("@feather/sdk")))}`;
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: "." },
    bundle: true,
    minify: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    target: "es2022",
    outdir: "out",
  });
  const sizes = new Map(outputFiles.map(({ path, contents }) => [path, gzipSync(contents).length]));
  const sizeOf = (name: string) => [...sizes].find(([path]) => path.endsWith(name))?.[1] ?? 0;
  const names = Object.keys(metafile.outputs);
  const entry = names.find((name) => metafile.outputs[name]?.entryPoint === "<stdin>") ?? "";
  const atOnce = new Set([entry]);
  for (const name of atOnce)
    for (const { path, kind } of metafile.outputs[name]?.imports ?? []) if (kind !== "dynamic-import") atOnce.add(path);
  const sum = (files: Iterable<string>) => [...files].reduce((total, name) => total + sizeOf(name), 0);
  return { atOnce: sum(atOnce), withLazyParts: sum(names) };
}

/** Returns the median duration of a call in milliseconds. The variants alternate, so that other load affects both. */
async function measureCallTimes({ platform: { baseUrl } }: BenchEnvironment): Promise<{ sdk: number; bare: number }> {
  const feather = createFeather({ baseUrl, apiKey: null });
  const variants = {
    sdk: () => feather.models.stats(),
    bare: async () => (await fetch(`${baseUrl}/api/feather/stats`)).json(),
  };
  const times: Record<keyof typeof variants, number[]> = { sdk: [], bare: [] };
  for (let call = 0; call < WARM_UP_CALLS + MEASURED_CALLS; call++) {
    for (const variant of call % 2 === 0 ? (["sdk", "bare"] as const) : (["bare", "sdk"] as const)) {
      const startedAt = performance.now();
      await variants[variant]();
      if (call >= WARM_UP_CALLS) times[variant].push(performance.now() - startedAt);
    }
  }
  return { sdk: median(times.sdk), bare: median(times.bare) };
}
