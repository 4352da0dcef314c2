/** Which cores the parts of a measurement run on. */
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

const GATEWAY_CORES = ALL_CORES.slice(0, 1);
const OTHER_CORES = ALL_CORES.length > 1 ? ALL_CORES.slice(1) : ALL_CORES;

/** The database has cores of its own as far as there are any: they are those of the load. */
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
