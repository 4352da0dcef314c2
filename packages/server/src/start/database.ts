import type { Logger } from "pino";
import type { StorageSettings } from "../config/storage.settings.ts";
import { BUILT_IN_MODELS } from "../hosting/runtimes/index.ts";
import {
  createApplicationRole,
  grantRowAccess,
  keepTimeouts,
  refuseOtherSession,
} from "../platform/core/db/application-role.ts";
import {
  connectDatabase,
  type DatabaseTarget,
  DEFAULT_TIMEOUTS,
  type SessionTimeouts,
} from "../platform/core/db/connect.ts";
import { startEmbeddedPostgres } from "../platform/core/db/embedded.ts";
import { migrate } from "../platform/core/db/migrate.ts";
import { detectPooling, type Pooling } from "../platform/core/db/pooling.ts";
import { createRequestPartitions } from "../platform/core/db/request-partitions.ts";
import { seed } from "../platform/core/db/seed/seed.ts";
import type { Stops } from "./stops.ts";

/** The connections to the database: as its owner, for migrations, and as the server's role. */
export type DatabaseTargets = {
  /** Also used for sessions that must not be shared: locks, leases and messages. */
  owner: DatabaseTarget;
  application: DatabaseTarget;
  /** Whether `application` has another role than `owner`, with fewer rights. */
  hasTwoRoles: boolean;
  /** The kind of pooler between this process and PostgreSQL at `application`. */
  pooling: Pooling;
  isEmbedded: boolean;
};

type Addresses = Pick<StorageSettings, "databaseUrl" | "databaseOwnerUrl" | "databaseDirectUrl">;

/**
 * Returns the address of the database as its owner, and without a pooler in transaction mode; undefined for the embedded
 * one.
 */
export const readOwnerUrl = ({ databaseUrl, databaseOwnerUrl, databaseDirectUrl }: Addresses): string | undefined =>
  databaseOwnerUrl ?? databaseDirectUrl ?? databaseUrl;

/**
 * Returns the database of the settings, or starts the embedded one. Throws an Error for operators if PostgreSQL cannot be
 * reached, or if its owner is connected through a pooler in transaction mode.
 */
export async function openDatabaseTargets(
  addresses: Addresses,
  { dataDir, log, stops }: { dataDir: string; log: Logger; stops: Stops },
): Promise<DatabaseTargets> {
  const { databaseUrl, databaseOwnerUrl } = addresses;
  const ownerUrl = readOwnerUrl(addresses);
  if (databaseUrl !== undefined && ownerUrl !== undefined) {
    const owner = { connectionString: ownerUrl };
    const application = ownerUrl === databaseUrl ? owner : { connectionString: databaseUrl };
    const ownersPooling = await detectPooling(owner);
    if (ownersPooling === "transaction") throw createPoolerError(addresses);
    const pooling = ownerUrl === databaseUrl ? ownersPooling : await detectPooling(application);
    return { owner, application, hasTwoRoles: databaseOwnerUrl !== undefined, pooling, isEmbedded: false };
  }
  const { connection: owner, application, stop } = await startEmbeddedPostgres({ dataDir, log });
  stops.add(stop);
  return { owner, application, hasTwoRoles: true, pooling: "none", isEmbedded: true };
}

function createPoolerError({ databaseOwnerUrl, databaseDirectUrl }: Addresses): Error {
  const [named, wayOut] =
    databaseOwnerUrl !== undefined
      ? ["DATABASE_OWNER_URL", "Name PostgreSQL itself there; DATABASE_URL may lead through the pooler."]
      : databaseDirectUrl !== undefined
        ? ["DATABASE_DIRECT_URL", "Name PostgreSQL itself there."]
        : ["DATABASE_URL", "Name PostgreSQL itself in DATABASE_DIRECT_URL beside it."];
  return new Error(
    `${named} leads through a connection pooler in transaction mode, which keeps no locks of a session and hears no ` +
      `messages, so the server could not hold its database. ${wayOut}`,
  );
}

/**
 * Statements of a migration have no time limit. A process that stops responding is ended, since others wait for its
 * migration.
 */
const PREPARATION_TIMEOUTS: SessionTimeouts = { statementMs: 0, idleTransactionMs: 60_000 };

/**
 * Migrates and seeds the database as its owner, creates partitions for the months after `now`, and grants access to rows if
 * the server has another role. Throws an Error for operators if that role has more rights.
 */
export async function prepareDatabase(targets: DatabaseTargets, now: Date): Promise<void> {
  const { owner, application, hasTwoRoles, pooling, isEmbedded } = targets;
  const owning = connectDatabase(owner, { timeouts: PREPARATION_TIMEOUTS });
  try {
    await migrate(owning.pool);
    await createRequestPartitions(owning.db, now);
    await seed(owning.db, BUILT_IN_MODELS);
    if (isEmbedded) await createApplicationRole(owning.pool);
    if (application === owner) return;
    const working = connectDatabase(application, { maxConnections: 1 });
    try {
      if (hasTwoRoles) await grantRowAccess(owning.pool, working.pool);
      else await refuseOtherSession(owning.pool, working.pool);
      if (pooling === "transaction") await keepTimeouts(working.pool, DEFAULT_TIMEOUTS);
    } finally {
      await working.close();
    }
  } finally {
    await owning.close();
  }
}
