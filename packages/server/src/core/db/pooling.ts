import pg from "pg";
import { clientConfig, type DatabaseTarget } from "./connect.ts";

/** What is between this process and PostgreSQL: nothing, or a pooler that gives a session or a transaction a connection. */
export type Pooling = "none" | "session" | "transaction";

const CONNECT_TIMEOUT_MS = 10_000;
/** A pooler in session mode with a connection for one client only lets the other one wait. */
const PROBE_TIMEOUT_MS = 2_000;
const PROBE_ROUNDS = 10;

/**
 * Finds out whether connections lead through a pooler, such as PgBouncer, and in which mode: one that gives each transaction
 * another connection keeps neither locks of a session nor listens. Throws what connecting throws.
 */
export async function detectPooling(target: DatabaseTarget): Promise<Pooling> {
  const first = await connect(target);
  try {
    const ownId = await readProcessId(first);
    // A pooler names its clients itself.
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

/** Whether the first client loses its connection, or the second gets it, while both are connected. */
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
