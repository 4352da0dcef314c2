/**
 * Measures performance as ratios to a reference in the same run. Prints a table and writes JSON.
 * `npm run bench -- gateway streams` runs only these measurements.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { measureCatalogue } from "./catalogue.ts";
import { type BenchEnvironment, openEnvironment } from "./environment.ts";
import { measureGateway } from "./gateway.ts";
import { measureMemory } from "./memory.ts";
import { measurePrograms } from "./programs.ts";
import type { ResultRow } from "./result-row.ts";
import { measureSdk } from "./sdk.ts";
import { measureStreams } from "./streams.ts";
import { measureWeb } from "./web.ts";

const OUTPUT_FILE = new URL("../.artifacts/bench.json", import.meta.url);
/** In this order: the last one fills the database. */
const MEASUREMENTS: Record<string, (environment: BenchEnvironment) => Promise<ResultRow[]>> = {
  programs: measurePrograms,
  sdk: measureSdk,
  gateway: measureGateway,
  streams: measureStreams,
  memory: measureMemory,
  web: measureWeb,
  catalogue: measureCatalogue,
};

const requested = process.argv.slice(2);
const unknown = requested.filter((name) => !(name in MEASUREMENTS));
if (unknown.length > 0)
  throw new Error(
    `There is nothing called ${unknown.join(", ")} to measure. There is: ${Object.keys(MEASUREMENTS).join(", ")}.`,
  );

const environment = await openEnvironment();
const rows: ResultRow[] = [];
try {
  for (const [name, measure] of Object.entries(MEASUREMENTS))
    if (requested.length === 0 || requested.includes(name)) rows.push(...(await measure(environment)));
} finally {
  await environment.close();
}
console.table(rows);
mkdirSync(new URL(".", OUTPUT_FILE), { recursive: true });
writeFileSync(OUTPUT_FILE, `${JSON.stringify(rows, null, 2)}\n`);
