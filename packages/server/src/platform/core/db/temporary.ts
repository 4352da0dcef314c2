import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded.ts";

/** Starts a PostgreSQL in a new folder below `parent`, without durability. `stop` also deletes the folder. */
export async function startTemporaryPostgres(parent: string = tmpdir()): Promise<EmbeddedPostgres> {
  const dataDir = createTemporaryFolder("feather-db-", parent);
  const server = await startEmbeddedPostgres({ dataDir, durable: false, log: { info: () => {}, warn: console.warn } });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a temporary folder that every user may enter, because root's databases run as `nobody`. Returns its path. */
export function createTemporaryFolder(prefix: string, parent: string = tmpdir()): string {
  const folder = mkdtempSync(join(parent, prefix));
  chmodSync(folder, 0o711);
  return folder;
}
