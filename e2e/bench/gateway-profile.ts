/** Says where the gateway spends its time under load. */
import { mkdirSync, writeFileSync } from "node:fs";
import { listContenders, place, releaseSelf } from "./contenders.ts";
import { DATABASE_ELSEWHERE } from "./cores.ts";
import { type CpuProfile, listHottestFunctions, listHottestParts, type SelfTime } from "./cpu-profile.ts";
import { type BenchEnvironment, BUFFERED_REQUEST, FAST_STREAM_REQUEST } from "./environment.ts";
import { type Inspector, openInspector } from "./inspector.ts";
import { load } from "./load.ts";
import type { BenchOptions } from "./options.ts";

/** A function, or a package or folder, that takes much of the server's time under a load. */
export type ProfileRow = { load: string; of: "parts" | "functions"; name: string; "self ms": number; "self %": number };

const FOLDER = new URL("../.artifacts/", import.meta.url);
const LISTED_PARTS = 20;
const LISTED_FUNCTIONS = 30;
const SAMPLE_EVERY_US = 200;
const CONNECTIONS = 32;
const SECONDS = 8;

/** Profiles the server without its start, and writes a file for each load. Quickly: not streaming only. */
export async function profileGateway(environment: BenchEnvironment, { quick }: BenchOptions): Promise<ProfileRow[]> {
  mkdirSync(FOLDER, { recursive: true });
  const inspector = await openInspector(environment.inspectPort);
  try {
    place(listContenders(environment, []), DATABASE_ELSEWHERE);
    await load(environment.ours, BUFFERED_REQUEST, { connections: CONNECTIONS, seconds: SECONDS / 2 });
    const rows = await profileLoad(environment, inspector, "not-streaming", BUFFERED_REQUEST);
    if (!quick) rows.push(...(await profileLoad(environment, inspector, "streaming", FAST_STREAM_REQUEST)));
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

function toRow(load: string, of: ProfileRow["of"], { name, selfMs, share }: SelfTime): ProfileRow {
  return { load, of, name, "self ms": Number(selfMs.toFixed(0)), "self %": Number((share * 100).toFixed(1)) };
}
