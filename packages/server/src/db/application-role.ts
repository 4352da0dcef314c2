import type { Pool } from "pg";

/** The role as which the server works with the embedded database; the one that owns the tables only migrates them. */
export const APPLICATION_ROLE = "feather_app";

/** Tables whose rows are never changed. Their triggers refuse it too, but owners can switch triggers off. */
const APPEND_ONLY = ["audit_log", "ledger_transactions", "ledger_entries", "prices"];

/** Makes the role where needed and gives it what the server needs: rows, but no tables, triggers or roles. */
export async function grantApplicationRole(owner: Pool): Promise<void> {
  await owner.query(`
    do $$ begin
      create role ${APPLICATION_ROLE} login;
    exception when duplicate_object or unique_violation then null;
    end $$;
    grant usage on schema public to ${APPLICATION_ROLE};
    grant select, insert, update, delete on all tables in schema public to ${APPLICATION_ROLE};
    grant usage, select, update on all sequences in schema public to ${APPLICATION_ROLE};
    revoke update, delete on ${APPEND_ONLY.join(", ")} from ${APPLICATION_ROLE};
    revoke insert, update, delete on schema_migrations from ${APPLICATION_ROLE};`);
}
