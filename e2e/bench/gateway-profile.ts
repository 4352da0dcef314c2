/** Says where the gateway spends its time under load, and where it allocates memory. */
import { mkdirSync, writeFileSync } from "node:fs";
import { listContenders, place, releaseSelf } from "./contenders.ts";
import { DATABASE_ELSEWHERE } from "./cores.ts";
import {
  type CpuProfile,
  type HeapProfile,
  listHottestFunctions,
  listHottestParts,
  listLargestFunctions,
  type SelfTime,
} from "./cpu-profile.ts";
import { type BenchEnvironment, BUFFERED_REQUEST, FAST_STREAM_REQUEST } from "./environment.ts";
import { type Inspector, openInspector } from "./inspector.ts";
import { load } from "./load.ts";
import type { BenchOptions } from "./options.ts";

/** A function, or a package or folder, that takes much of the server's time under a load. */
export type ProfileRow = { load: string; of: "parts" | "functions"; name: string; "self ms": number; "self %": number };

/** A function that allocates much for each call of a load; the first row is all of them together. */
export type AllocationRow = { load: string; allocated: string; "bytes/call": number; "of all %": number };

const FOLDER = new URL("../.artifacts/", import.meta.url);
const LISTED_PARTS = 20;
const LISTED_FUNCTIONS = 30;
const SAMPLE_EVERY_US = 200;
const SAMPLE_EVERY_BYTES = 16_384;
const CONNECTIONS = 32;
const SECONDS = 8;

const LOADS = [
  ["not-streaming", BUFFERED_REQUEST],
  ["streaming", FAST_STREAM_REQUEST],
] as const;

/** Profiles the server without its start, and writes a file for each load. Quickly: not streaming only. */
export async function profileGateway(
  environment: BenchEnvironment,
  { quick }: BenchOptions,
): Promise<(ProfileRow | AllocationRow)[]> {
  mkdirSync(FOLDER, { recursive: true });
  const inspector = await openInspector(environment.inspectPort);
  try {
    place(listContenders(environment, []), DATABASE_ELSEWHERE);
    await load(environment.ours, BUFFERED_REQUEST, { connections: CONNECTIONS, seconds: SECONDS / 2 });
    const rows: (ProfileRow | AllocationRow)[] = [];
    for (const [name, body] of quick ? LOADS.slice(0, 1) : LOADS) {
      rows.push(...(await profileLoad(environment, inspector, name, body)));
      rows.push(...(await profileAllocations(environment, inspector, name, body)));
    }
    return rows;
  } finally {
    releaseSelf();
    inspector.close();
  }
}

async function profileLoad(
  { ours }: BenchEnvironment,
  inspector: Inspector,
  name: string,
  body: string,
): Promise<ProfileRow[]> {
  await inspector.call("Profiler.enable");
  await inspector.call("Profiler.setSamplingInterval", { interval: SAMPLE_EVERY_US });
  await inspector.call("Profiler.start");
  await load(ours, body, { connections: CONNECTIONS, seconds: SECONDS });
  const { profile } = await inspector.call<{ profile: CpuProfile }>("Profiler.stop");
  const file = new URL(`gateway-${name}.cpuprofile`, FOLDER);
  writeFileSync(file, JSON.stringify(profile));
  console.log(`The profile of the server under the load "${name}" is in ${file.pathname}.`);
  return [
    ...listHottestParts(profile, LISTED_PARTS).map((time) => toRow(name, "parts", time)),
    ...listHottestFunctions(profile, LISTED_FUNCTIONS).map((time) => toRow(name, "functions", time)),
  ];
}

async function profileAllocations(
  { ours }: BenchEnvironment,
  inspector: Inspector,
  name: string,
  body: string,
): Promise<AllocationRow[]> {
  await inspector.call("HeapProfiler.startSampling", {
    samplingInterval: SAMPLE_EVERY_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  const { answered } = await load(ours, body, { connections: CONNECTIONS, seconds: SECONDS });
  const { profile } = await inspector.call<{ profile: HeapProfile }>("HeapProfiler.stopSampling");
  const functions = listLargestFunctions(profile);
  const all = { name: "all functions", bytes: functions.reduce((sum, { bytes }) => sum + bytes, 0), share: 1 };
  return [all, ...functions.slice(0, LISTED_FUNCTIONS)].map((size) => ({
    load: name,
    allocated: size.name,
    "bytes/call": Math.round(size.bytes / answered),
    "of all %": Number((size.share * 100).toFixed(1)),
  }));
}

function toRow(load: string, of: ProfileRow["of"], { name, selfMs, share }: SelfTime): ProfileRow {
  return { load, of, name, "self ms": Number(selfMs.toFixed(0)), "self %": Number((share * 100).toFixed(1)) };
}
