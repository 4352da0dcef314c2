/** Measures throughput, latency and cost of the gateway, a bare proxy and other gateways. */
import { BARE_PROXY, type Contender, FEATHER, listContenders, NO_GATEWAY, place, releaseSelf } from "./contenders.ts";
import { ALL_CORES, ANYWHERE, DATABASE_BESIDE, DATABASE_ELSEWHERE, type Placement } from "./cores.ts";
import { type BenchEnvironment, BUFFERED_REQUEST, FAST_STREAM_REQUEST, openEnvironment } from "./environment.ts";
import { type GatewayRow, type Sample, toGatewayRows } from "./gateway-rows.ts";
import { type LoadOptions, load } from "./load.ts";
import type { BenchOptions } from "./options.ts";
import { startOtherGateways } from "./other-gateways.ts";
import { readUse } from "./processes.ts";
import type { ResultRow } from "./result-row.ts";
import { settingsForWorkers } from "./workers.ts";

/** A way to send requests, in words and numbers. */
type GatewayLoad = { name: string; body: string; connections: number };

const ROUNDS = 3;
const CONNECTIONS = [1, 32, 256];
const QUICK_CONNECTIONS = [1, 32];
const BODIES = { "not streaming": BUFFERED_REQUEST, streaming: FAST_STREAM_REQUEST };

/** The measurements of one server. */
type Plan = {
  workers: number;
  placements: readonly Placement[];
  loads: readonly GatewayLoad[];
  /** Seconds for each gateway under each load. */
  warmUpSeconds: number;
  roundSeconds: number;
  withOthers: boolean;
};

const PLAN: Plan = {
  workers: 1,
  placements: [DATABASE_ELSEWHERE, DATABASE_BESIDE],
  loads: listLoads(CONNECTIONS, ["not streaming", "streaming"]),
  warmUpSeconds: 1.5,
  roundSeconds: 2.5,
  withOthers: true,
};
const QUICK_PLAN: Plan = {
  workers: 1,
  placements: [DATABASE_ELSEWHERE],
  loads: listLoads(QUICK_CONNECTIONS, ["not streaming"]),
  warmUpSeconds: 1,
  roundSeconds: 1.5,
  withOthers: false,
};

/** Measures one worker, with the database on its core and on another, and then a worker for each core. */
export async function measureGateway(
  environment: BenchEnvironment,
  { quick }: BenchOptions,
): Promise<(GatewayRow | ResultRow)[]> {
  const rows = await carryOut(quick ? QUICK_PLAN : PLAN, environment);
  return [...rows, ...(quick ? [] : await measureAllWorkers()), ...summarize(rows)];
}

/** Returns no rows for a server that is one process whatever the settings. */
async function measureAllWorkers(): Promise<GatewayRow[]> {
  const workers = ALL_CORES.length;
  const settings = settingsForWorkers(workers);
  if (settings === undefined) return [];
  const environment = await openEnvironment(settings);
  try {
    return await carryOut({ ...PLAN, workers, placements: [ANYWHERE] }, environment);
  } finally {
    await environment.close();
  }
}

function listLoads(connections: readonly number[], ways: readonly (keyof typeof BODIES)[]): GatewayLoad[] {
  return ways.flatMap((way) =>
    connections.map((count) => ({
      name: `${way}, ${count} ${count === 1 ? "connection" : "connections"}`,
      body: BODIES[way],
      connections: count,
    })),
  );
}

async function carryOut(plan: Plan, environment: BenchEnvironment): Promise<GatewayRow[]> {
  const { backend, direct } = environment;
  const others = plan.withOthers ? await startOtherGateways(backend.url, new URL(direct.url).pathname) : [];
  const rows: GatewayRow[] = [];
  try {
    const contenders = listContenders(environment, others);
    for (const placement of plan.placements) {
      place(contenders, placement);
      for (const gatewayLoad of plan.loads) {
        const circumstances = { load: gatewayLoad.name, workers: String(plan.workers), postgres: placement.name };
        rows.push(...toGatewayRows(circumstances, await measureLoad(contenders, gatewayLoad, plan)));
      }
    }
  } finally {
    releaseSelf();
    for (const { stop } of others) stop();
  }
  return rows;
}

/** Loads all in turn, so that other work on the machine affects all of them. */
async function measureLoad(
  contenders: readonly Contender[],
  { body, connections }: GatewayLoad,
  { warmUpSeconds, roundSeconds }: Plan,
): Promise<Map<string, Sample[]>> {
  const samples = new Map<string, Sample[]>(contenders.map(({ name }) => [name, []]));
  for (const { target } of contenders) await load(target, body, { connections, seconds: warmUpSeconds });
  for (let round = 0; round < ROUNDS; round++)
    for (const contender of contenders)
      samples.get(contender.name)?.push(await takeSample(contender, body, { connections, seconds: roundSeconds }));
  return samples;
}

async function takeSample(contender: Contender, body: string, options: LoadOptions): Promise<Sample> {
  const read = () => ({ own: readUse(contender.listPids()), database: readUse(contender.listDatabasePids()) });
  const before = read();
  const result = await load(contender.target, body, options);
  const after = read();
  return {
    ...result,
    cpuMs: after.own.cpuMs - before.own.cpuMs,
    databaseCpuMs: after.database.cpuMs - before.database.cpuMs,
    residentMb: after.own.residentMb,
  };
}

/** Returns the results that have a bar to reach. */
function summarize(rows: readonly GatewayRow[]): ResultRow[] {
  const find = (name: string, connections: string) =>
    rows.find(({ load, through }) => through === name && load === `not streaming, ${connections}`);
  const ours = find(FEATHER, "32 connections");
  const p50Of = (name: string) => find(name, "1 connection")?.["p50 ms"] ?? Number.NaN;
  const addedMs = p50Of(FEATHER) - p50Of(NO_GATEWAY);
  const leastMs = p50Of(BARE_PROXY) - p50Of(NO_GATEWAY);
  return [
    {
      what: "gateway, not streaming, 32 connections",
      measured: `${ours?.["requests/s"]}/s`,
      reference: `bare proxy ${find(BARE_PROXY, "32 connections")?.["requests/s"]}/s`,
      ratio: String(ours?.["of bare proxy"]),
      bar: "≥ 0.60",
    },
    {
      what: "refused or failed in all loads",
      measured: String(rows.filter(({ through }) => through === FEATHER).reduce((sum, { failed }) => sum + failed, 0)),
      reference: "",
      ratio: "",
      bar: "0",
    },
    {
      what: "added latency, 1 connection, median",
      measured: `${addedMs.toFixed(2)} ms`,
      reference: `bare proxy ${leastMs.toFixed(2)} ms`,
      ratio: (addedMs / leastMs).toFixed(2),
      bar: "≤ 1.50",
    },
  ];
}
