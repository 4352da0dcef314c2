import type pg from "pg";

/** The dedicated connection of a replica, which several parts use. */
export type Connection = {
  client: pg.Client;
  /** Runs a query after all queries that were queued before it. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>;
};

/** Makes the queries of several users of a connection run one after the other. */
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
