import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { DatabaseTarget } from "../db/connect.ts";
import { LOCKS } from "../db/locks.ts";
import { acquireServerLock } from "../db/server-lock.ts";
import type { Ids } from "../ids.ts";
import { createDatabaseBus, type DatabaseBus } from "./bus.ts";
import { type Connection, toConnection } from "./connection.ts";
import { createObservations } from "./observations.ts";
import type { OtherReplica, Replicas } from "./replicas.ts";

const RENEWAL_INTERVAL_MS = 2_000;
const MAX_FIRST_ATTEMPTS = 10;
/** A renewal that takes longer closes its connection, so that a new one is opened. */
const RENEWAL_TIMEOUT_MS = 4_000;
/**
 * The lease ends this long after the last successful renewal was sent. Other replicas wait longer before they take over
 * (`EXPIRY_MS`).
 */
const LEASE_MS = 8_000;

type Options = {
  target: DatabaseTarget;
  /** The address on which this replica listens for other replicas. */
  address: string;
  /** Whether it may run jobs, local models and deployments. */
  canLead: boolean;
  /** Whether only processes of this machine use the database, so that replicas from an earlier start have ended. */
  isOnlyMachine: boolean;
  /**
   * Called once while this process holds the preparation lock, before it uses the tables of replicas. No two processes run
   * it at the same time.
   */
  prepare(): Promise<void>;
  ids: Ids;
  log: { info(message: string): void; warn(details: object | string, message?: string): void };
  /** Called when this process must stop: it has led and lost its lease, or another server works alone on the database. */
  onLost(error: Error): void;
  /** Returns the milliseconds of a monotonic clock. */
  now?: () => number;
};

/** The membership of this process in the replicas of a database. */
export type Membership = {
  replicas: Replicas;
  /** The database's clock, which all replicas share. */
  clock: Clock;
  /** Renews the lease immediately, in addition to the renewal every two seconds. */
  renew(): Promise<void>;
  /** Gives up the leadership for good, so that another replica can lead. */
  resign(): Promise<void>;
  /** Deletes the row of a replica whose process has ended. Other replicas then do not wait until its lease expires. */
  remove(id: string): Promise<void>;
  /** Ends the membership. Afterwards this replica does not own what it has borrowed. */
  leave(): Promise<void>;
};

type Row = { id: string; address: string; renewals: string; leads: boolean; renewed: boolean; now: Date };

type State = Options & {
  now: () => number;
  bus: DatabaseBus;
  id: string;
  connection: Connection | null;
  leaseEndsAt: number;
  /** The difference between the database's clock and this machine's, in milliseconds; positive if the database is ahead. */
  clockOffsetMs: number;
  others: readonly OtherReplica[];
  /** The id of the leading replica; null if there is none. */
  leaderId: string | null;
  /** Whether the database was prepared and the replica's row inserted. */
  prepared: boolean;
  resigned: boolean;
  left: boolean;
  observations: ReturnType<typeof createObservations>;
  lapsedListeners: (() => void)[];
  leadingListeners: (() => void)[];
  /** Resolves when the last requested round has ended. */
  round: Promise<void>;
};

/**
 * Adds this process to the replicas of a database. Resolves when its lease is valid, and renews the lease until `leave` is
 * called. Throws an Error if a server that works alone holds the database.
 */
export async function joinReplicas(options: Options): Promise<Membership> {
  const state = createState(options);
  const lock = await acquireServerLock(options.target, {
    shared: true,
    log: options.log,
    onLost: options.onLost,
    onConnected: (client) => useConnection(state, toConnection(client)),
  });
  await renewAtFirst(state);
  const timer = setInterval(() => void renewNow(state), RENEWAL_INTERVAL_MS);
  state.bus.subscribe("replicas", () => void renewNow(state));
  void state.bus.publish("replicas", {});
  return {
    replicas: toReplicas(state),
    clock: { now: () => new Date(Date.now() + state.clockOffsetMs) },
    renew: () => renewNow(state),
    resign: () => resign(state),
    remove: (id) => removeReplica(state, id),
    async leave() {
      clearInterval(timer);
      state.left = true;
      await state.round;
      await leave(state);
      await lock.release();
    },
  };
}

function createState(options: Options): State {
  const { ids, log, now = () => performance.now() } = options;
  const state: State = {
    ...options,
    now,
    id: ids.next("rep"),
    connection: null,
    leaseEndsAt: Number.NEGATIVE_INFINITY,
    clockOffsetMs: 0,
    bus: createDatabaseBus({ origin: ids.next("rep"), id: () => state.id, log }),
    others: [],
    leaderId: null,
    prepared: false,
    resigned: false,
    left: false,
    observations: createObservations(),
    lapsedListeners: [],
    leadingListeners: [],
    round: Promise.resolve(),
  };
  return state;
}

function toReplicas(state: State): Replicas {
  return {
    isAlone: false,
    id: () => state.id,
    holdsLease: () => holdsLease(state),
    isLeader: () => state.leaderId === state.id && holdsLease(state),
    leader: () => state.others.find(({ id }) => id === state.leaderId) ?? null,
    others: () => state.others,
    onLapsed: (listener) => void state.lapsedListeners.push(listener),
    onLeading: (listener) => void state.leadingListeners.push(listener),
    bus: state.bus,
  };
}

function holdsLease({ now, leaseEndsAt }: State): boolean {
  return now() < leaseEndsAt;
}

/**
 * Listens for messages on a new connection. On the first one, prepares the database and inserts the replica's row before.
 * Later ones do not insert it again: if it is gone, the lease has lapsed.
 */
async function useConnection(state: State, connection: Connection): Promise<void> {
  if (!state.prepared) {
    await prepare(state, connection);
    await insertReplica(state, connection);
    state.prepared = true;
  }
  await state.bus.connect(connection);
  state.connection = connection;
  connection.client.once("end", () => {
    if (state.connection === connection) state.connection = null;
  });
}

async function prepare(state: State, connection: Connection): Promise<void> {
  await connection.query("select pg_advisory_lock($1)", [LOCKS.preparation]);
  await state.prepare();
  if (state.canLead || !state.isOnlyMachine) await deletePredecessors(state, connection);
  await connection.query("select pg_advisory_unlock($1)", [LOCKS.preparation]);
}

async function insertReplica({ id, address, canLead }: State, connection: Connection): Promise<void> {
  await connection.query("insert into replicas (id, address, can_lead) values ($1, $2, $3)", [id, address, canLead]);
}

/**
 * Deletes rows of replicas that cannot be running, so that a restarted server does not wait for its own old leases. If only
 * this machine uses the database, all rows are deleted once no other process holds the lock; otherwise the rows with the
 * address of this replica.
 */
async function deletePredecessors({ isOnlyMachine, address }: State, connection: Connection): Promise<void> {
  if (!isOnlyMachine) return void (await connection.query("delete from replicas where address = $1", [address]));
  const { rows } = await connection.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
    LOCKS.server,
  ]);
  if (rows[0]?.taken !== true) return;
  await connection.query("delete from replicas");
  await connection.query("select pg_advisory_unlock($1)", [LOCKS.server]);
}

/** Gets the first lease. Throws an Error if ten attempts have failed. */
async function renewAtFirst(state: State): Promise<void> {
  for (let attempt = 0; !holdsLease(state); attempt++) {
    if (attempt === MAX_FIRST_ATTEMPTS) throw new Error("The database did not accept the lease of this server.");
    if (attempt > 0) await sleep(RENEWAL_INTERVAL_MS);
    await renewNow(state);
  }
}

/** Queues a renewal of the lease, and resolves when it has ended. Never throws: failures are logged. */
function renewNow(state: State): Promise<void> {
  state.round = state.round
    .then(() => renew(state))
    .catch((error: unknown) => {
      if (!state.left) state.log.warn({ err: error }, "the lease of this replica could not be renewed");
    });
  return state.round;
}

async function renew(state: State): Promise<void> {
  const { connection, observations, now } = state;
  if (connection === null || state.left) return;
  const sentAt = now();
  const sentDate = Date.now();
  const rows = await readReplicas(connection, state.id);
  if (!rows.some(({ renewed }) => renewed)) return handleLapse(state, connection);
  state.leaseEndsAt = sentAt + LEASE_MS;
  const databaseNow = rows[0]?.now.getTime() ?? sentDate;
  state.clockOffsetMs = databaseNow - (sentDate + Date.now()) / 2;
  const others = rows.filter(({ id }) => id !== state.id);
  const expired = observations.update(
    others.map(({ id, renewals }) => ({ id, renewals: Number(renewals) })),
    now(),
  );
  for (const { id, renewals } of expired) {
    state.log.warn(
      { replica: id },
      "a replica has not renewed its lease; the units that it had borrowed are free again",
    );
    await connection.query("delete from replicas where id = $1 and renewals = $2", [id, renewals]);
  }
  const gone = new Set(expired.map(({ id }) => id));
  state.others = others.filter(({ id }) => !gone.has(id)).map(({ id, address }) => ({ id, address }));
  const leader = rows.find(({ leads, id }) => leads && !gone.has(id))?.id ?? (await tryToLead(state, connection));
  followLeader(state, leader);
}

/**
 * Increments this replica's number of renewals, and returns all replicas as they were before. Closes the connection if the
 * database takes too long.
 */
async function readReplicas(connection: Connection, id: string): Promise<Row[]> {
  const timeout = new AbortController();
  void sleep(RENEWAL_TIMEOUT_MS, undefined, { signal: timeout.signal, ref: false }).then(
    () => connection.client.end().catch(() => {}),
    () => {},
  );
  try {
    const { rows } = await connection.query<Row>(
      `with renewed as (update replicas set renewals = renewals + 1 where id = $1 returning id)
       select id, address, renewals, clock_timestamp() as now, id in (select replica_id from replica_leader) as leads, id in (select id from renewed) as renewed
       from replicas order by started_at, id`,
      [id],
    );
    return rows;
  } finally {
    timeout.abort();
  }
}

/** Tries to become the leader. Returns this replica's id if it leads now, otherwise null. */
async function tryToLead({ canLead, resigned, id }: State, connection: Connection): Promise<string | null> {
  if (!canLead || resigned) return null;
  const { rowCount } = await connection.query(
    "insert into replica_leader (replica_id) select id from replicas where id = $1 on conflict do nothing",
    [id],
  );
  return rowCount === 1 ? id : null;
}

function followLeader(state: State, leaderId: string | null): void {
  const led = state.leaderId === state.id;
  state.leaderId = leaderId;
  if (leaderId !== state.id || led) return;
  state.log.info("This replica leads: it runs jobs, local models and deployments.");
  for (const listener of state.leadingListeners) listener();
}

/**
 * Called when other replicas have deleted this replica's row. If it has led, the process must stop; otherwise it joins
 * again under a new id.
 */
async function handleLapse(state: State, connection: Connection): Promise<void> {
  state.leaseEndsAt = Number.NEGATIVE_INFINITY;
  if (state.leaderId === state.id) {
    state.left = true;
    return state.onLost(
      new Error("This replica has led and could not renew its lease in time; another one leads now."),
    );
  }
  state.id = state.ids.next("rep");
  state.log.warn("This replica could not renew its lease in time; it joins again under a new id.");
  for (const listener of state.lapsedListeners) listener();
  await insertReplica(state, connection);
  await renew(state);
}

async function resign(state: State): Promise<void> {
  state.resigned = true;
  await state.round;
  await state.connection?.query("delete from replica_leader where replica_id = $1", [state.id]).catch(() => {});
  await state.bus.publish("replicas", {});
}

async function removeReplica(state: State, id: string): Promise<void> {
  await state.connection?.query("delete from replicas where id = $1", [id]);
  await state.bus.publish("replicas", {});
  await renewNow(state);
}

async function leave(state: State): Promise<void> {
  state.leaseEndsAt = Number.NEGATIVE_INFINITY;
  await state.connection?.query("delete from replicas where id = $1", [state.id]).catch(() => {});
  await state.bus.publish("replicas", {});
}
