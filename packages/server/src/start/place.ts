import type { Logger } from "pino";
import type { ServerSettings } from "../config/server.settings.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { acquireServerLock } from "../core/db/server-lock.ts";
import { randomIds } from "../core/ids.ts";
import { joinReplicas, type Membership } from "../core/replicas/membership.ts";
import { LONE_REPLICA, type Replicas } from "../core/replicas/replicas.ts";
import { type DatabaseTargets, prepareDatabase } from "./database.ts";
import type { Stops } from "./stops.ts";

/** What a worker knows from the process that started it. */
export type WorkerPlace = {
  targets: DatabaseTargets;
  /** The host at which other replicas reach this machine. */
  replicaHost: string;
  /** Called with the id that the worker has as a replica, each time it gets one. */
  onJoined(id: string): void;
};

/** The place of a process at its database. */
export type Place = {
  replicas: Replicas;
  /** The clock that all processes of the database share. */
  clock: Clock;
  /** Null for a server that works on its database alone. */
  membership: Membership | null;
};

type Options = {
  targets: DatabaseTargets;
  /** Where this process listens for other replicas; null for a server that works on its database alone. */
  address: string | null;
  /** Whether all replicas are on this machine. */
  isOnlyMachine: boolean;
  worker: WorkerPlace | null;
  log: Logger;
  stops: Stops;
  onDatabaseLost(error: Error): void;
};

/** Whether a server may share its database with other processes. */
export function isReplica({ replicaAddress, workers }: Pick<ServerSettings, "replicaAddress" | "workers">): boolean {
  return replicaAddress !== undefined || workers > 1;
}

/** The host at which other replicas reach this machine. */
export function replicaHostOf({ replicaAddress }: Pick<ServerSettings, "replicaAddress">): string {
  return replicaAddress === undefined ? "127.0.0.1" : new URL(replicaAddress).hostname;
}

/** Locks the database for this server alone, or joins its replicas; migrates it then, unless this is a worker. */
export async function takePlace(options: Options): Promise<Place> {
  const { targets, address, isOnlyMachine, worker, log, stops, onDatabaseLost } = options;
  if (address === null) {
    const lock = await acquireServerLock(targets.owner, { log, onLost: onDatabaseLost });
    stops.add(lock.release);
    await prepareDatabase(targets);
    return { replicas: LONE_REPLICA, clock: systemClock, membership: null };
  }
  const membership = await joinReplicas({
    ...{
      target: targets.owner,
      address,
      canLead: worker === null,
      isOnlyMachine,
      ids: randomIds,
      log,
      onLost: onDatabaseLost,
    },
    prepare: async () => {
      if (worker === null) await prepareDatabase(targets);
    },
  });
  stops.add(membership.leave);
  const { replicas, clock } = membership;
  worker?.onJoined(replicas.id());
  replicas.onLapsed(() => worker?.onJoined(replicas.id()));
  return { replicas, clock, membership };
}
