import type { Logger } from "pino";
import type { StorageSettings } from "../config/storage.settings.ts";
import { createApplicationRole, grantRowAccess } from "../core/db/application-role.ts";
import { connectDatabase, type DatabaseTarget } from "../core/db/connect.ts";
import { startEmbeddedPostgres } from "../core/db/embedded.ts";
import { migrate } from "../core/db/migrate.ts";
import { createRequestPartitions } from "../core/db/request-partitions.ts";
import { seed } from "../core/db/seed/seed.ts";
import { BUILT_IN_MODELS } from "../engine/index.ts";
import type { Stops } from "./stops.ts";

/** The database as its owner, who migrates it, and as the server works with it. */
export type DatabaseTargets = {
  owner: DatabaseTarget;
  /** The owner itself where the operator gave only one role. */
  application: DatabaseTarget;
  isEmbedded: boolean;
};

/** Returns the database of the settings, or starts the embedded one. */
export async function openDatabaseTargets(
  { databaseUrl, databaseOwnerUrl }: Pick<StorageSettings, "databaseUrl" | "databaseOwnerUrl">,
  { dataDir, log, stops }: { dataDir: string; log: Logger; stops: Stops },
): Promise<DatabaseTargets> {
  if (databaseUrl !== undefined) {
    const application = { connectionString: databaseUrl };
    const owner = databaseOwnerUrl === undefined ? application : { connectionString: databaseOwnerUrl };
    return { owner, application, isEmbedded: false };
  }
  const postgres = await startEmbeddedPostgres({ dataDir, log });
  stops.add(postgres.stop);
  return { owner: postgres.connection, application: postgres.application, isEmbedded: true };
}

/**
 * Migrates and seeds the database as its owner, with partitions for the months after `now`, and grants the server's role
 * access to rows where it is another. Throws an Error for operators when that role has more rights.
 */
export async function prepareDatabase({ owner, application, isEmbedded }: DatabaseTargets, now: Date): Promise<void> {
  const owning = connectDatabase(owner);
  try {
    await migrate(owning.pool);
    await createRequestPartitions(owning.db, now);
    await seed(owning.db, BUILT_IN_MODELS);
    if (isEmbedded) await createApplicationRole(owning.pool);
    if (application === owner) return;
    const limited = connectDatabase(application, { maxConnections: 1 });
    await grantRowAccess(owning.pool, limited.pool).finally(limited.close);
  } finally {
    await owning.close();
  }
}
