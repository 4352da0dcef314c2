import type { Server } from "node:net";
import type { Logger } from "pino";
import { replicaHostOf } from "../config/replica-host.ts";
import type { ServerSettings } from "../config/server.settings.ts";
import { type Clock, systemClock } from "../platform/core/clock.ts";
import { acquireServerLock } from "../platform/core/db/server-lock.ts";
import { randomIds } from "../platform/core/ids.ts";
import { joinReplicas, type Membership } from "../platform/core/replicas/membership.ts";
import { LONE_REPLICA, type Replicas } from "../platform/core/replicas/replicas.ts";
import { openReplicaListener, type ReplicaListener } from "../replicas/replica-listener.ts";
import { type DatabaseTargets, prepareDatabase } from "./database.ts";
import type { Stops } from "./stops.ts";

/** The data that a worker gets from the process that started it. */
export type WorkerPlace = {
  targets: DatabaseTargets;
  /** The values of settings that the process had read from the database. */
  savedSettings: ReadonlyMap<string, string>;
  /** The host at which other replicas reach this machine. */
  replicaHost: string;
  /** Returns the listener of that process; null if the worker can listen on its own. */
  receiveListener: (() => Promise<Server>) | null;
  /** Called with the worker's id as a replica, each time it gets a new one. */
  onJoined(id: string): void;
  /** Called when an admin starts the server again. */
  onRestart(): void;
};

/** A process's membership of the servers on its database. */
export type Place = {
  replicas: Replicas;
  /** The clock that all processes of the database share. */
  clock: Clock;
  /** Null for a server that works on its database alone. */
  membership: Membership | null;
};

type Options = {
  targets: DatabaseTargets;
  /** The address on which this process listens for other replicas; null for a server that works on its database alone. */
  address: string | null;
  /** Whether all replicas are on this machine. */
  isOnlyMachine: boolean;
  worker: WorkerPlace | null;
  /** What this server does. Only one that does everything can be the leader. */
  role: ServerSettings["role"];
  log: Logger;
  stops: Stops;
  onDatabaseLost(error: Error): void;
};

/**
 * Listens for other replicas. The port is that of the settings; workers, and a server whose only replicas are its workers,
 * use any free port. Returns null for a server that works on its database alone. Throws an Error that names the setting.
 */
export async function openReplicaPort(
  settings: Pick<ServerSettings, "replicaAddress" | "workers">,
  worker: WorkerPlace | null,
): Promise<{ listener: ReplicaListener; address: string } | null> {
  const { replicaAddress, workers } = settings;
  if (replicaAddress === undefined && workers === 1) return null;
  const host = worker?.replicaHost ?? replicaHostOf(settings);
  const port = replicaAddress === undefined || worker !== null ? 0 : Number(new URL(replicaAddress).port);
  const listener = await openReplicaListener({ host: host.replace(/^\[(.*)\]$/, "$1"), port }).catch((cause: Error) => {
    throw new Error(
      `The server cannot listen for other servers at ${host}:${port}: ${cause.message}. See FEATHER_REPLICA_ADDRESS.`,
      {
        cause,
      },
    );
  });
  return { listener, address: `http://${host}:${listener.port}` };
}

/** Locks the database for this server alone, or joins its replicas. Then migrates the database, unless this is a worker. */
export async function takePlace(options: Options): Promise<Place> {
  const { targets, address, isOnlyMachine, worker, role, log, stops, onDatabaseLost } = options;
  if (address === null) {
    const lock = await acquireServerLock(targets.owner, { log, onLost: onDatabaseLost });
    stops.add(lock.release);
    await prepareDatabase(targets, systemClock.now());
    return { replicas: LONE_REPLICA, clock: systemClock, membership: null };
  }
  const membership = await joinReplicas({
    target: targets.owner,
    address,
    canLead: worker === null && role === "all",
    isOnlyMachine,
    ids: randomIds,
    log,
    onLost: onDatabaseLost,
    prepare: async () => {
      if (worker === null) await prepareDatabase(targets, systemClock.now());
    },
  });
  stops.add(membership.leave);
  const { replicas, clock } = membership;
  worker?.onJoined(replicas.id());
  replicas.onLapsed(() => worker?.onJoined(replicas.id()));
  return { replicas, clock, membership };
}
