/**
 * Measures performance as ratios to a reference in the same run. Prints a table and writes JSON.
 * `npm run bench -- gateway streams` runs only these measurements.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { catalogueRows } from "./catalogue.ts";
import { gatewayRows } from "./gateway.ts";
import { memoryRows } from "./memory.ts";
import { programRows } from "./programs.ts";
import type { Row } from "./row.ts";
import { sdkRows } from "./sdk.ts";
import { openStand, type Stand } from "./stand.ts";
import { streamRows } from "./streams.ts";
import { webRows } from "./web.ts";

const OUT = new URL("../.artifacts/bench.json", import.meta.url);
/** In this order: the last one fills the database. */
const MEASURES: Record<string, (stand: Stand) => Promise<Row[]>> = {
  programs: programRows,
  sdk: sdkRows,
  gateway: gatewayRows,
  streams: streamRows,
  memory: memoryRows,
  web: webRows,
  catalogue: catalogueRows,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in MEASURES));
if (unknown.length > 0)
  throw new Error(
    `There is nothing called ${unknown.join(", ")} to measure. There is: ${Object.keys(MEASURES).join(", ")}.`,
  );

const stand = await openStand();
const rows: Row[] = [];
try {
  for (const [name, measure] of Object.entries(MEASURES))
    if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure(stand)));
} finally {
  await stand.close();
}
console.table(rows);
mkdirSync(new URL(".", OUT), { recursive: true });
writeFileSync(OUT, `${JSON.stringify(rows, null, 2)}\n`);
