import type pg from "pg";

/** The dedicated connection of a replica, which the lock, the lease and the bus share. */
export type Connection = {
  client: pg.Client;
  /** Runs a query after all queries that were queued before it. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
};

/** Returns a connection whose queries run one after the other, whoever sends them. */
export function toConnection(client: pg.Client): Connection {
  let last: Promise<unknown> = Promise.resolve();
  return {
    client,
    query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) {
      const next = last.then(() => client.query<Row>(text, values));
      last = next.catch(() => {});
      return next;
    },
  };
}
