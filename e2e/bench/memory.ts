import { memoryAfterCollection } from "./heap.ts";
import { load } from "./load.ts";
import type { Row } from "./row.ts";
import { type Stand, WHOLE } from "./stand.ts";

const REQUESTS = 100_000;
const SLICE = { connections: 32, seconds: 5 };

/** Measures how much memory the server gains over many requests. Earlier measurements have warmed it up. */
export async function memoryRows({ ours, platform, inspectPort }: Stand): Promise<Row[]> {
  const measure = () => memoryAfterCollection(platform.process.pid ?? 0, inspectPort);
  await load(ours, WHOLE, SLICE);
  const before = await measure();
  for (let made = 0; made < REQUESTS; ) made += (await load(ours, WHOLE, SLICE)).perSecond * SLICE.seconds;
  const after = await measure();
  const row = (what: string, of: "residentMb" | "heapMb", bar: string): Row => ({
    what: `${what} after 100,000 further requests, garbage collected`,
    measured: `${after[of].toFixed(0)} MB`,
    reference: `before ${before[of].toFixed(0)} MB`,
    ratio: (after[of] / before[of]).toFixed(2),
    bar,
  });
  return [row("resident memory", "residentMb", "< 1.05"), row("heap in use", "heapMb", "< 1.05")];
}
