import { type BenchEnvironment, BUFFERED_REQUEST } from "./environment.ts";
import { memoryAfterCollection } from "./heap.ts";
import { load } from "./load.ts";
import type { ResultRow } from "./result-row.ts";

const REQUESTS = 1_000_000;
const LOAD_OPTIONS = { connections: 32, seconds: 5 };

/** Measures how much memory the server gains over many requests. Earlier measurements have warmed it up. */
export async function measureMemory({ ours, platform, inspectPort }: BenchEnvironment): Promise<ResultRow[]> {
  const measure = () => memoryAfterCollection(platform.process.pid ?? 0, inspectPort);
  await load(ours, BUFFERED_REQUEST, LOAD_OPTIONS);
  const before = await measure();
  for (let sentCount = 0; sentCount < REQUESTS; )
    sentCount += (await load(ours, BUFFERED_REQUEST, LOAD_OPTIONS)).perSecond * LOAD_OPTIONS.seconds;
  const after = await measure();
  const toRow = (what: string, field: "residentMb" | "heapMb", bar: string): ResultRow => ({
    what: `${what} after 1,000,000 further requests, garbage collected`,
    measured: `${after[field].toFixed(0)} MB`,
    reference: `before ${before[field].toFixed(0)} MB`,
    ratio: (after[field] / before[field]).toFixed(2),
    bar,
  });
  return [toRow("resident memory", "residentMb", "< 1.05"), toRow("heap in use", "heapMb", "< 1.05")];
}
