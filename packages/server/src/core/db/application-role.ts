import type { Pool } from "pg";

/** The role that the server uses with the embedded database; the owner of the tables is used for migrations only. */
export const APPLICATION_ROLE = "feather_app";

/** Tables whose rows never change. Triggers refuse updates too, but owners could disable triggers. */
const APPEND_ONLY = ["audit_log", "ledger_transactions", "ledger_entries", "prices"];

/** Creates the role if needed and grants it access to rows, but not to tables, triggers or roles. */
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
