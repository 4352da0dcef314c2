import { type RawBuilder, sql } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { InvoiceRow } from "./invoices.repository.ts";

/** What admins filter invoices by; `search` looks in number, name and e-mail address. */
export type InvoiceFilter = {
  search?: string | undefined;
  organization_id?: string | undefined;
  status?: string | undefined;
  dispute?: string | undefined;
};

/** Returns a function that searches the invoices of all organizations, newest first, for admins. */
export function createInvoiceSearch(db: Database) {
  return async (
    filter: InvoiceFilter,
    limit: number,
    offset: number,
  ): Promise<{ rows: InvoiceRow[]; total: number }> => {
    const { search = "", organization_id, status, dispute } = filter;
    const text = search.trim().toLowerCase();
    // `strpos` knows no wildcards, so there is nothing to escape.
    const contains = (column: RawBuilder<string>) => sql<boolean>`strpos(lower(${column}), ${text}) > 0`;
    let query = db.selectFrom("invoices");
    if (organization_id !== undefined) query = query.where("organization_id", "=", organization_id);
    if (status !== undefined) query = query.where("status", "=", status);
    if (dispute !== undefined) query = query.where("dispute_status", "=", dispute);
    if (text !== "")
      query = query.where((eb) =>
        eb.or([contains(sql`number`), contains(sql`billed_to ->> 'email'`), contains(sql`billed_to ->> 'name'`)]),
      );
    const [rows, { total }] = await Promise.all([
      query.selectAll().orderBy("created_at", "desc").orderBy("number", "desc").limit(limit).offset(offset).execute(),
      query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
    ]);
    return { rows, total };
  };
}
