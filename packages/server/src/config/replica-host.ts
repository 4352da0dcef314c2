import type { ServerSettings } from "./server.settings.ts";

/** Returns the host at which other replicas reach this machine. */
export function replicaHostOf({ replicaAddress }: Pick<ServerSettings, "replicaAddress">): string {
  return replicaAddress === undefined ? "127.0.0.1" : new URL(replicaAddress).hostname;
}

/** Returns the check whether a replica is a worker, which accepts requests on the same port as this process. */
export function createWorkerTest(settings: Pick<ServerSettings, "replicaAddress" | "workers">) {
  const host = replicaHostOf(settings);
  return ({ address }: { address: string }): boolean => settings.workers > 1 && new URL(address).hostname === host;
}
