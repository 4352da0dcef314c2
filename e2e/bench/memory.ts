import { readFileSync } from "node:fs";
import { load } from "./load.ts";
import type { Row } from "./row.ts";
import { type Stand, WHOLE } from "./stand.ts";

const CONNECTIONS = 32;
const REQUESTS = 100_000;
const SLICE = { connections: CONNECTIONS, seconds: 5 };
const SAMPLES = 5;

/** How much more memory the server holds after many requests. What ran before has warmed it up. */
export async function memoryRows({ ours, platform }: Stand): Promise<Row[]> {
  const pid = platform.process.pid ?? 0;
  const before = await resident(pid);
  for (let made = 0; made < REQUESTS; ) made += (await load(ours, WHOLE, SLICE)).perSecond * SLICE.seconds;
  const after = await resident(pid);
  return [
    {
      what: "memory after 100,000 further requests",
      measured: `${megabytes(after)} MB`,
      reference: `before ${megabytes(before)} MB`,
      ratio: (after / before).toFixed(2),
      bar: "< 1.05",
    },
  ];
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);

/** Resident memory of a process at rest: the least of some samples, as it also holds what is about to be collected. */
async function resident(pid: number): Promise<number> {
  const samples: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"));
    samples.push(Number(line?.[1]) * 1024);
  }
  return Math.min(...samples);
}
