import pg, { type Pool } from "pg";
import type { SessionTimeouts } from "./connect.ts";

/** The role that the server uses with the embedded database; the owner of the tables is used for migrations only. */
export const APPLICATION_ROLE = "feather_app";

/** Tables whose rows never change. Triggers refuse updates too, but owners could disable triggers. */
const APPEND_ONLY = ["audit_log", "ledger_transactions", "ledger_entries", "prices"];

/** Functions of the owner that the server may call, to create and drop the monthly partitions of `requests` while it runs. */
const OWNERS_FUNCTIONS = ["create_request_partitions(timestamptz)", "drop_request_partitions(timestamptz)"];

/** Creates the server's role if needed. In databases that operators manage, they create it themselves. */
export async function createApplicationRole(owner: Pool): Promise<void> {
  await owner.query(`
    do $$ begin
      create role ${APPLICATION_ROLE} login;
    exception when duplicate_object or unique_violation then null;
    end $$;`);
}

/**
 * Grants the role of `application` access to rows, but not to tables, triggers or roles. It may only create and drop
 * partitions of `requests`.
 */
export async function grantRowAccess(owner: Pool, application: Pool): Promise<void> {
  const role = pg.escapeIdentifier(await readLimitedRole(owner, application));
  await owner.query(`
    grant usage on schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant usage, select, update on all sequences in schema public to ${role};
    revoke update, delete on ${APPEND_ONLY.join(", ")} from ${role};
    revoke insert, update, delete on schema_migrations from ${role};
    grant execute on function ${OWNERS_FUNCTIONS.join(", ")} to ${role};`);
}

/**
 * Sets the time limits for all sessions of the role of `application` in this database, because a pooler in transaction mode
 * may run a transaction in a session that another client has set up.
 */
export async function keepTimeouts(
  application: Pool,
  { statementMs, idleTransactionMs }: SessionTimeouts,
): Promise<void> {
  const { rows } = await application.query<{ name: string }>("select current_database() as name");
  const database = pg.escapeIdentifier(rows[0]?.name ?? "");
  const role = `alter role current_user in database ${database} set`;
  await application.query(`${role} statement_timeout = ${statementMs}`);
  await application.query(`${role} idle_in_transaction_session_timeout = ${idleTransactionMs}`);
}

/** Throws an Error for operators if two connections lead to different databases or roles. */
export async function refuseOtherSession(direct: Pool, application: Pool): Promise<void> {
  const [one, other] = await Promise.all([readSession(direct), readSession(application)]);
  if (one.database !== other.database || one.role !== other.role)
    throw new Error("DATABASE_URL and DATABASE_DIRECT_URL must name the same database and the same role.");
}

type Session = { database: string; role: string; is_superuser: boolean };

/** Returns the role of `application`. Throws an Error for operators if that role has rights of the owner. */
async function readLimitedRole(owner: Pool, application: Pool): Promise<string> {
  const [owning, limited] = await Promise.all([readSession(owner), readSession(application)]);
  if (owning.database !== limited.database)
    throw new Error("DATABASE_URL and DATABASE_OWNER_URL must name the same database.");
  const { rows } = await application.query<{ is_owner: boolean }>(
    "select pg_has_role(tableowner, 'member') as is_owner from pg_tables where schemaname = 'public' and tablename = 'audit_log'",
  );
  if (limited.is_superuser || rows[0]?.is_owner !== false)
    throw new Error(
      `The role ${limited.role} of DATABASE_URL could change tables and their triggers, which is left to the role of ` +
        "DATABASE_OWNER_URL. Give the server a role that is neither a superuser nor a member of the owner.",
    );
  return limited.role;
}

async function readSession(pool: Pool): Promise<Session> {
  const { rows } = await pool.query<Session>(
    `select current_database() || ' since ' || pg_postmaster_start_time() as database, rolname as role,
      rolsuper as is_superuser from pg_roles where rolname = current_user`,
  );
  const [session] = rows;
  if (!session) throw new Error("PostgreSQL does not say which role is used.");
  return session;
}
