import pg from "pg";
import { clientConfig, type DatabaseTarget } from "./connect.ts";

/**
 * What lies between this process and PostgreSQL: nothing, or a pooler that assigns a connection per session or per
 * transaction.
 */
export type Pooling = "none" | "session" | "transaction";

const CONNECT_TIMEOUT_MS = 10_000;
/**
 * How long to wait for the second client, in milliseconds. It waits longer only if a pooler in session mode has a single
 * connection.
 */
const PROBE_TIMEOUT_MS = 2_000;
const PROBE_ROUNDS = 10;

/**
 * Returns whether connections lead through a pooler, such as PgBouncer, and in which mode. A pooler that assigns a
 * connection per transaction keeps neither session locks nor LISTEN. Throws the errors of connecting.
 */
export async function detectPooling(target: DatabaseTarget): Promise<Pooling> {
  const first = await connect(target);
  try {
    const ownId = await readProcessId(first);
    // A pooler reports its own process id to its clients.
    if (ownId === (first as unknown as { processID: number }).processID) return "none";
    const second = await connect(target);
    try {
      return (await shareConnections(first, second, ownId)) ? "transaction" : "session";
    } finally {
      await second.end().catch(() => {});
    }
  } finally {
    await first.end().catch(() => {});
  }
}

async function connect(target: DatabaseTarget): Promise<pg.Client> {
  const client = new pg.Client({ ...clientConfig(target), connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => {}); // the query reports it
  await client.connect();
  return client;
}

async function readProcessId(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ id: number }>("select pg_backend_pid() as id");
  return rows[0]?.id ?? 0;
}

/** Returns whether the first client loses its connection, or the second one gets it, while both are connected. */
async function shareConnections(first: pg.Client, second: pg.Client, firstId: number): Promise<boolean> {
  for (let round = 0; round < PROBE_ROUNDS; round++) {
    const secondId = await Promise.race([readProcessId(second), waitForProbe()]);
    if (secondId === null) return false;
    if (secondId === firstId || (await readProcessId(first)) !== firstId) return true;
  }
  return false;
}

function waitForProbe(): Promise<null> {
  return new Promise((resolve) => void setTimeout(resolve, PROBE_TIMEOUT_MS, null).unref());
}
