/**
 * Measures performance as ratios to a reference in the same run. Prints tables and writes JSON.
 * `npm run bench -- gateway streams` runs only these measurements, `npm run bench -- gateway --quick` only the most
 * telling loads of the gateway, and `npm run bench -- gateway --profile` says where the gateway spends its time.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { measureCatalogue } from "./catalogue.ts";
import { type BenchEnvironment, openEnvironment } from "./environment.ts";
import { measureGateway } from "./gateway.ts";
import { type ProfileRow, profileGateway } from "./gateway-profile.ts";
import type { GatewayRow } from "./gateway-rows.ts";
import { measureMemory } from "./memory.ts";
import { type BenchOptions, parseOptions } from "./options.ts";
import { measurePrograms } from "./programs.ts";
import type { ResultRow } from "./result-row.ts";
import { measureSdk } from "./sdk.ts";
import { measureStreams } from "./streams.ts";
import { measureWeb } from "./web.ts";
import { measureWorkers, type WorkerRow } from "./worker-scaling.ts";
import { settingsForWorkers } from "./workers.ts";

const OUTPUT_FILE = new URL("../.artifacts/bench.json", import.meta.url);
type Row = ResultRow | GatewayRow | ProfileRow | WorkerRow;
/** In this order: the last one fills the database. */
const MEASUREMENTS: Record<string, (environment: BenchEnvironment, options: BenchOptions) => Promise<Row[]>> = {
  programs: measurePrograms,
  sdk: measureSdk,
  gateway: (environment, options) =>
    options.profile ? profileGateway(environment, options) : measureGateway(environment, options),
  workers: measureWorkers,
  streams: measureStreams,
  memory: measureMemory,
  web: measureWeb,
  catalogue: measureCatalogue,
};

const options = parseOptions(process.argv.slice(2), Object.keys(MEASUREMENTS));
const environment = await openEnvironment(settingsForWorkers(1));
const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(MEASUREMENTS))
    if (options.names.length === 0 || options.names.includes(name)) rows.push(...(await measure(environment, options)));
} finally {
  await environment.close();
}
for (const table of Map.groupBy(rows, (row) => Object.keys(row).join()).values()) console.table(table);
mkdirSync(new URL(".", OUTPUT_FILE), { recursive: true });
writeFileSync(OUTPUT_FILE, `${JSON.stringify(rows, null, 2)}\n`);
