/** Measures what the bars are about, as ratios against a reference in the same run. Prints a table and writes JSON. */
import { mkdirSync, writeFileSync } from "node:fs";
import { gatewayRows } from "./gateway.ts";
import { memoryRows } from "./memory.ts";
import { programRows } from "./programs.ts";
import type { Row } from "./row.ts";
import { openStand } from "./stand.ts";
import { streamRows } from "./streams.ts";

const OUT = new URL("../.artifacts/bench.json", import.meta.url);

const stand = await openStand();
const rows: Row[] = [];
try {
  for (const measure of [programRows, gatewayRows, streamRows, memoryRows]) rows.push(...(await measure(stand)));
} finally {
  await stand.close();
}
console.table(rows);
mkdirSync(new URL(".", OUT), { recursive: true });
writeFileSync(OUT, `${JSON.stringify(rows, null, 2)}\n`);
