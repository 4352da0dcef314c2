import type { ServerSettings } from "./server.settings.ts";

/** The host at which other replicas reach this machine. */
export function replicaHostOf({ replicaAddress }: Pick<ServerSettings, "replicaAddress">): string {
  return replicaAddress === undefined ? "127.0.0.1" : new URL(replicaAddress).hostname;
}

/** Returns what tells whether a replica takes requests at the same port as this process: it is a worker beside it. */
export function createWorkerTest(settings: Pick<ServerSettings, "replicaAddress" | "workers">) {
  const host = replicaHostOf(settings);
  return ({ address }: { address: string }): boolean => settings.workers > 1 && new URL(address).hostname === host;
}
