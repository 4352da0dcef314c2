import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createFeather } from "@feather/sdk";
import { build } from "esbuild";
import { median, type Row } from "./row.ts";
import type { Stand } from "./stand.ts";

const WARM_UP = 500;
const CALLS = 2_000;

/** Measures the size of the SDK, and the cost of a call compared to a bare `fetch`. */
export async function sdkRows(stand: Stand): Promise<Row[]> {
  const { atOnce, whole } = await sdkBytes();
  const { sdk, bare } = await callTimes(stand);
  return [
    {
      what: "SDK, minified and gzipped",
      measured: `${(atOnce / 1000).toFixed(1)} kB`,
      reference: `with streams and raw paths: ${(whole / 1000).toFixed(1)} kB`,
      ratio: "",
      bar: "≤ 8 kB",
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
async function sdkBytes(): Promise<{ atOnce: number; whole: number }> {
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
  const sum = (some: Iterable<string>) => [...some].reduce((total, name) => total + sizeOf(name), 0);
  return { atOnce: sum(atOnce), whole: sum(names) };
}

/** Returns the median duration of a call in milliseconds. The variants alternate, so that other load affects both. */
async function callTimes({ platform: { baseUrl } }: Stand): Promise<{ sdk: number; bare: number }> {
  const feather = createFeather({ baseUrl, apiKey: null });
  const ways = {
    sdk: () => feather.models.stats(),
    bare: async () => (await fetch(`${baseUrl}/api/feather/stats`)).json(),
  };
  const times: Record<keyof typeof ways, number[]> = { sdk: [], bare: [] };
  for (let call = 0; call < WARM_UP + CALLS; call++) {
    for (const way of call % 2 === 0 ? (["sdk", "bare"] as const) : (["bare", "sdk"] as const)) {
      const began = performance.now();
      await ways[way]();
      if (call >= WARM_UP) times[way].push(performance.now() - began);
    }
  }
  return { sdk: median(times.sdk), bare: median(times.bare) };
}
