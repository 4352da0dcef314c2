/** Measures what the bars are about, as ratios against a reference in the same run. Prints a table and writes JSON. */
import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createFeather } from "@feather/sdk";
import { build } from "esbuild";
import { load } from "./load.ts";
import { ADMIN, startPlatform } from "./platform.ts";
import { startInstantBackend, startReferenceProxy } from "./reference-proxy.ts";

type Row = { what: string; measured: string; reference: string; ratio: string; bar: string };

const SECONDS = 8;
const ROUNDS = 3;
const BODY = JSON.stringify({
  model: "bench/instant",
  messages: [{ role: "user", content: "Why do feathers insulate?" }],
});
const OUT = new URL("../.artifacts/bench.json", import.meta.url);

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const dataDir = mkdtempSync(join(tmpdir(), "feather-bench-"));
chmodSync(dataDir, 0o711);
const backend = await startInstantBackend();
const reference = await startReferenceProxy(backend.url);
const backends = JSON.stringify([{ name: "instant", base_url: `${backend.url}/v1`, models: ["bench/instant"] }]);
const first = await startPlatform(dataDir, backends);
await first.stop();
const platform = await startPlatform(dataDir, backends);

const rows: Row[] = [];
try {
  const key = await benchKey(platform.baseUrl);
  const headers = { authorization: `Bearer ${key}` };
  const feather = (connections: number) =>
    load(`${platform.baseUrl}/v1/chat/completions`, headers, BODY, connections, SECONDS);
  const proxy = (connections: number) => load(`${reference.url}/v1/chat/completions`, {}, BODY, connections, SECONDS);
  const direct = (connections: number) =>
    load(`${backend.url}/v1/chat/completions`, {}, BODY, connections, SECONDS / 2);
  await Promise.all([feather(4), proxy(4)]); // warm

  // One unit each, and the plan of the first admin has eight: more connections would measure refusals.
  const many: { ours: number; theirs: number; errors: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const ours = await feather(8);
    const theirs = await proxy(8);
    many.push({ ours: ours.perSecond, theirs: theirs.perSecond, errors: ours.errors });
  }
  const ours = median(many.map((round) => round.ours));
  const theirs = median(many.map((round) => round.theirs));
  rows.push({
    what: "gateway, not streaming, 8 connections",
    measured: `${ours.toFixed(0)}/s`,
    reference: `bare proxy ${theirs.toFixed(0)}/s`,
    ratio: (ours / theirs).toFixed(2),
    bar: "≥ 0.60",
  });
  rows.push({
    what: "refused or failed meanwhile",
    measured: String(many.reduce((sum, round) => sum + round.errors, 0)),
    reference: "",
    ratio: "",
    bar: "0",
  });

  const [a, b, c] = [await direct(1), await proxy(1), await feather(1)];
  const [added, least] = [c.p50Ms - a.p50Ms, b.p50Ms - a.p50Ms];
  rows.push({
    what: "added latency, 1 connection, median",
    measured: `${added.toFixed(2)} ms`,
    reference: `bare proxy ${least.toFixed(2)} ms`,
    ratio: (added / least).toFixed(2),
    bar: "≤ 1.50",
  });
} finally {
  await platform.stop();
  await reference.close();
  await backend.close();
  rmSync(dataDir, { recursive: true, force: true });
}

rows.push({
  what: "server, warm start to ready",
  measured: `${(platform.readyMs / 1000).toFixed(2)} s`,
  reference: "",
  ratio: "",
  bar: "≤ 4 s",
});
const node = startTime(["-e", "0"]);
const version = startTime(["packages/cli/bin/feather.js", "--version"]);
rows.push({
  what: "feather --version",
  measured: `${version.toFixed(0)} ms`,
  reference: `node -e 0: ${node.toFixed(0)} ms`,
  ratio: (version / node).toFixed(2),
  bar: "≤ 1.50",
});

const bytes = await sdkBytes();
rows.push({
  what: "SDK, minified and gzipped",
  measured: `${(bytes / 1000).toFixed(1)} kB`,
  reference: "",
  ratio: "",
  bar: "≤ 8 kB",
});

console.table(rows);
mkdirSync(new URL(".", OUT), { recursive: true });
writeFileSync(OUT, `${JSON.stringify(rows, null, 2)}\n`);

async function benchKey(baseUrl: string): Promise<string> {
  const { response } = await createFeather({ baseUrl }).auth.login(ADMIN).withResponse();
  const admin = createFeather({ baseUrl, token: response.headers.get("x-session-token") ?? "" });
  return (await admin.apiKeys.create({ name: "bench" })).secret;
}

async function sdkBytes(): Promise<number> {
  const entry = fileURLToPath(import.meta.resolve("@feather/sdk"));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    target: "es2022",
  });
  return gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;
}

function startTime(args: string[]): number {
  const times = Array.from({ length: 15 }, () => {
    const began = performance.now();
    spawnSync(process.execPath, args);
    return performance.now() - began;
  });
  return median(times);
}
