import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ALL_CORES, type Placement } from "./cores.ts";
import type { BenchEnvironment } from "./environment.ts";
import type { Target } from "./load.ts";
import type { OtherGateway } from "./other-gateways.ts";
import { listProcessTree, pin } from "./processes.ts";

/** Something that answers requests, with its processes. */
export type Contender = {
  name: string;
  target: Target;
  listPids(): number[];
  /** Processes of its database, which are counted apart. */
  listDatabasePids(): number[];
};

/** The server under test. */
export const FEATHER = "Feather";
/** The reference: a proxy that does nothing but forward. */
export const BARE_PROXY = "bare proxy";
/** What no gateway can exceed: the load on the backend itself. */
export const NO_GATEWAY = "no gateway";

/** Returns Feather and everything that it is compared with. */
export function listContenders(environment: BenchEnvironment, others: readonly OtherGateway[]): Contender[] {
  const postmaster = readPostmasterPid(environment.folder);
  const toContender = (name: string, target: Target, pid = 0): Contender => ({
    name,
    target,
    listPids: () => listProcessTree(pid, [postmaster]),
    listDatabasePids: () => [],
  });
  return [
    {
      ...toContender(FEATHER, environment.ours, environment.platform.process.pid),
      listDatabasePids: () => listProcessTree(postmaster),
    },
    toContender(BARE_PROXY, environment.bare, environment.proxy.process.pid),
    ...others.map(({ name, target, pid }) => toContender(name, target, pid)),
    toContender(NO_GATEWAY, environment.direct, environment.backend.process.pid),
  ];
}

/** Puts all gateways, the database, the backend and this process, which sends the load, where they belong. */
export function place(contenders: readonly Contender[], { gateway, postgres, rest }: Placement): void {
  for (const { name, listPids, listDatabasePids } of contenders) {
    pin(listPids(), name === NO_GATEWAY ? rest : gateway);
    pin(listDatabasePids(), postgres);
  }
  pin([process.pid], rest);
}

/** Lets this process run anywhere again. */
export function releaseSelf(): void {
  pin([process.pid], ALL_CORES);
}

function readPostmasterPid(folder: string): number {
  return Number(readFileSync(join(folder, "postgres/data/postmaster.pid"), "utf8").split("\n")[0]);
}
