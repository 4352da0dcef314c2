/** Which cores the parts of a measurement run on. */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";

/** Cores of the gateway that is measured, of Feather's database, and of the load and the backend. */
export type Placement = {
  name: string;
  gateway: readonly number[];
  postgres: readonly number[];
  rest: readonly number[];
};

/** All cores that this process may use. */
export const ALL_CORES: readonly number[] = Array.from({ length: availableParallelism() }, (_, core) => core);

/**
 * The cores in groups that share one physical core: two that do are slower together than two that do not. The first core
 * comes last, since systems often use it for other things as well.
 */
const PHYSICAL_CORES: readonly (readonly number[])[] = [...Map.groupBy(ALL_CORES, readSiblings).values()].toReversed();
const GATEWAY_CORES = PHYSICAL_CORES[0]?.slice(0, 1) ?? ALL_CORES;
const OTHER_CORES = PHYSICAL_CORES.length > 1 ? PHYSICAL_CORES.slice(1).flat() : ALL_CORES;

/** The database shares the cores of the load, which are not those of the gateway if there are enough cores. */
export const DATABASE_ELSEWHERE: Placement = {
  name: "another core",
  gateway: GATEWAY_CORES,
  postgres: OTHER_CORES,
  rest: OTHER_CORES,
};
/** One core for all that is Feather. */
export const DATABASE_BESIDE: Placement = {
  ...DATABASE_ELSEWHERE,
  name: "the gateway's core",
  postgres: GATEWAY_CORES,
};
/** Everything wherever the system puts it. */
export const ANYWHERE: Placement = { name: "any core", gateway: ALL_CORES, postgres: ALL_CORES, rest: ALL_CORES };

/**
 * A physical core for each worker, one for PostgreSQL for each four of them, and the others for the load and the backend;
 * null if fewer than two of those would be left.
 */
export function placeWorkers(workers: number): Placement | null {
  const database = Math.ceil(workers / 4);
  if (PHYSICAL_CORES.length < workers + database + 2) return null;
  return {
    name: "own",
    gateway: PHYSICAL_CORES.slice(0, workers).flatMap((threads) => threads.slice(0, 1)),
    postgres: PHYSICAL_CORES.slice(workers, workers + database).flat(),
    rest: PHYSICAL_CORES.slice(workers + database).flat(),
  };
}

function readSiblings(core: number): string {
  try {
    return readFileSync(`/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`, "utf8").trim();
  } catch {
    return String(core); // not Linux
  }
}
