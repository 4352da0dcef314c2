/**
 * Measures performance as ratios to a reference in the same run. Prints tables and writes JSON.
 * `npm run bench -- gateway streams` runs only these measurements, `npm run bench -- gateway --quick` only the most
 * telling loads of the gateway, and `npm run bench -- gateway --profile` says where the gateway spends its time and allocates memory.
 * `npm run bench -- replicas` measures several servers on one database, `npm run bench -- idle` what a server uses that is
 * not called, `npm run bench -- prefixes` how many tokens of prompts several engines of a model compute,
 * `npm run bench -- renewals` how long it takes to invoice and charge many organizations, and `npm run bench -- retrieval` how
 * long a search of a collection takes, and what it finds.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { measureCatalogue } from "./catalogue.ts";
import { type BenchEnvironment, openEnvironment } from "./environment.ts";
import { measureGateway } from "./gateway.ts";
import { type AllocationRow, type ProfileRow, profileGateway } from "./gateway-profile.ts";
import type { GatewayRow } from "./gateway-rows.ts";
import { measureIdle } from "./idle.ts";
import { measureMemory } from "./memory.ts";
import { type BenchOptions, parseOptions } from "./options.ts";
import { measurePrefixes, type PrefixRow } from "./prefixes/measure-prefixes.ts";
import { measurePrograms } from "./programs.ts";
import { measureRenewals } from "./renewals.ts";
import { measureReplicas, type ReplicaRow } from "./replicas.ts";
import type { ResultRow } from "./result-row.ts";
import { measureRetrieval } from "./retrieval.ts";
import { measureSdk } from "./sdk.ts";
import { measureStreams } from "./streams.ts";
import { measureWeb } from "./web.ts";
import { measureWorkers, type WorkerRow } from "./worker-scaling.ts";
import { settingsForWorkers } from "./workers.ts";

const OUTPUT_FILE = new URL("../.artifacts/bench.json", import.meta.url);
type Row = ResultRow | GatewayRow | ProfileRow | AllocationRow | WorkerRow | ReplicaRow | PrefixRow;
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

/** Measurements with processes of their own. */
const STANDALONE: Record<string, () => Promise<Row[]>> = {
  idle: measureIdle,
  replicas: measureReplicas,
  prefixes: measurePrefixes,
  renewals: measureRenewals,
  retrieval: measureRetrieval,
};

const options = parseOptions(process.argv.slice(2), [...Object.keys(STANDALONE), ...Object.keys(MEASUREMENTS)]);
const rows: Row[] = [];
for (const measure of chosen(STANDALONE)) rows.push(...(await measure()));
if (chosen(MEASUREMENTS).length > 0) await measureOne();

function chosen<T>(measurements: Record<string, T>): T[] {
  const names = Object.keys(measurements).filter((name) => options.names.length === 0 || options.names.includes(name));
  return names.flatMap((name) => measurements[name] ?? []);
}

/** Measures on one server. */
async function measureOne(): Promise<void> {
  const environment = await openEnvironment(settingsForWorkers(1));
  try {
    for (const measure of chosen(MEASUREMENTS)) rows.push(...(await measure(environment, options)));
  } finally {
    await environment.close();
  }
}

for (const table of Map.groupBy(rows, (row) => Object.keys(row).join()).values()) console.table(table);
mkdirSync(new URL(".", OUTPUT_FILE), { recursive: true });
writeFileSync(OUTPUT_FILE, `${JSON.stringify(rows, null, 2)}\n`);
