import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ApiKeys } from "../../platform/core/db/schema.generated.ts";
import { DAY_MS } from "../../platform/core/time.ts";

/** A row of the table of API keys. */
export type ApiKeyRow = Selectable<ApiKeys>;
/**
 * A key with the name of the user who created it, the name of the application that created it (if any), and what it has
 * spent since its spending was last reset.
 */
export type ApiKeyDetails = ApiKeyRow & {
  created_by_name: string | null;
  created_by_application: string | null;
  spent_nano_usd: string;
};

/** Conditions of a list of keys; all of them must hold. */
export type KeyFilter = {
  /** Part of a name, in upper or lower case. */
  search?: string | undefined;
  state?: "active" | "disabled" | "expired" | "unused" | undefined;
};
/** The field by which a list of keys is sorted; a leading minus sorts in descending order. */
export type KeySort = "created_at" | "-created_at" | "name" | "-name" | "last_used_at" | "-last_used_at";
/** The order of a list of keys, and which of them to return. */
export type KeyPage = { limit: number; offset: number; sort: KeySort };

/** A key that was not used for so long counts as unused, in milliseconds. */
const UNUSED_AFTER_MS = 90 * DAY_MS;

/** Reads and writes API keys. */
export function createApiKeysRepository(db: Database) {
  return {
    ...bind(db, {
      list: listKeys,
      listExpiring: listExpiringKeys,
      listSpent: listSpentKeys,
      count: countKeys,
      find: findKey,
      findBySecret,
      markUsed,
    }),
    create: createKey,
    lock: lockKey,
    update: updateKey,
  };
}

export type ApiKeysRepository = ReturnType<typeof createApiKeysRepository>;

function activeKeys(db: Database, organizationId: string) {
  return db
    .selectFrom("api_keys")
    .where("api_keys.organization_id", "=", organizationId)
    .where("deleted_at", "is", null);
}

function filteredKeys(db: Database, organizationId: string, { search, state }: KeyFilter, now: Date) {
  const isActive = sql<boolean>`not disabled and (expires_at is null or expires_at > ${now})`;
  const lastUse = sql<Date>`coalesce(last_used_at, api_keys.created_at)`;
  return activeKeys(db, organizationId)
    .$if(search !== undefined, (query) => query.where("api_keys.name", "ilike", toPattern(search ?? "")))
    .$if(state === "active" || state === "unused", (query) => query.where(isActive))
    .$if(state === "unused", (query) => query.where(lastUse, "<", new Date(now.getTime() - UNUSED_AFTER_MS)))
    .$if(state === "disabled", (query) => query.where("disabled", "=", true))
    .$if(state === "expired", (query) => query.where("disabled", "=", false).where("expires_at", "<=", now));
}

/** Returns the pattern of `like` for a text that contains another one. */
const toPattern = (text: string): string => `%${text.replaceAll(/[\\%_]/g, "\\$&")}%`;

/** The order of each way to sort: keys that were never used come before all others. */
const ORDERS: Record<KeySort, RawBuilder<unknown>> = {
  created_at: sql`api_keys.created_at asc`,
  "-created_at": sql`api_keys.created_at desc`,
  name: sql`lower(api_keys.name) asc`,
  "-name": sql`lower(api_keys.name) desc`,
  last_used_at: sql`last_used_at asc nulls first`,
  "-last_used_at": sql`last_used_at desc nulls last`,
};

/** Counts from the same start of the period as `reserve_credits` in the database. */
const sumSpending = (now: Date) => sql<string>`(
  select coalesce(sum(spent_nano_usd), 0) from api_key_spend
  where api_key_id = api_keys.id and day >= case limit_reset
    when 'none' then '-infinity'::date
    else date_trunc(limit_reset, ${now}::timestamptz at time zone 'UTC')::date
  end
)`;

function keysWithDetails(db: Database, organizationId: string, filter: KeyFilter, now: Date) {
  return filteredKeys(db, organizationId, filter, now)
    .leftJoin("users", "users.id", "api_keys.created_by")
    .leftJoin("applications", "applications.id", "api_keys.made_by_application")
    .selectAll("api_keys")
    .select(["users.name as created_by_name", "applications.name as created_by_application"])
    .select(sumSpending(now).as("spent_nano_usd"));
}

function listKeys(
  db: Database,
  organizationId: string,
  filter: KeyFilter,
  { limit, offset, sort }: KeyPage,
  now: Date,
): Promise<ApiKeyDetails[]> {
  return keysWithDetails(db, organizationId, filter, now)
    .orderBy(ORDERS[sort])
    .orderBy("api_keys.id")
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Returns enabled keys that end after `from` and until `to`, the first to end first. */
function listExpiringKeys(
  db: Database,
  organizationId: string,
  { from, to, limit }: { from: Date; to: Date; limit: number },
): Promise<Pick<ApiKeyRow, "id" | "name" | "expires_at">[]> {
  return activeKeys(db, organizationId)
    .select(["id", "name", "expires_at"])
    .where("disabled", "=", false)
    .where("expires_at", ">", from)
    .where("expires_at", "<=", to)
    .orderBy("expires_at")
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Returns enabled keys that have spent at least `percent` of their limit, those with the least left first. */
function listSpentKeys(
  db: Database,
  organizationId: string,
  { percent, now, limit }: { percent: number; now: Date; limit: number },
): Promise<{ id: string; name: string; is_spent: boolean }[]> {
  const spent = sumSpending(now);
  return activeKeys(db, organizationId)
    .select(["id", "name", sql<boolean>`${spent} >= spend_limit_nano_usd`.as("is_spent")])
    .where("disabled", "=", false)
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .where(sql<boolean>`${spent} * 100 >= spend_limit_nano_usd * ${percent}::int`)
    .orderBy(sql`spend_limit_nano_usd - ${spent}`)
    .orderBy("id")
    .limit(limit)
    .execute();
}

async function countKeys(db: Database, organizationId: string, filter: KeyFilter, now: Date): Promise<number> {
  const { count } = await filteredKeys(db, organizationId, filter, now)
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function findKey(
  db: Database,
  organizationId: string,
  id: string,
  now: Date,
  trx: Database = db,
): Promise<ApiKeyDetails | undefined> {
  return keysWithDetails(trx, organizationId, {}, now).where("api_keys.id", "=", id).executeTakeFirst();
}

/** Inserts a key. Returns null when the organization has `max` keys already, counted under a lock. */
async function createKey(key: Insertable<ApiKeys>, max: number, trx: Database): Promise<ApiKeyRow | null> {
  await trx.selectFrom("organizations").select("id").where("id", "=", key.organization_id).forNoKeyUpdate().execute();
  const { count } = await trx
    .selectFrom("api_keys")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("organization_id", "=", key.organization_id)
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  if (count >= max) return null;
  return trx.insertInto("api_keys").values(key).returningAll().executeTakeFirstOrThrow();
}

/** Locks and returns a key until the transaction ends. */
function lockKey(organizationId: string, id: string, trx: Database): Promise<ApiKeyRow | undefined> {
  return trx
    .selectFrom("api_keys")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

function updateKey(id: string, change: Updateable<ApiKeys>, trx: Database): Promise<ApiKeyRow> {
  return trx.updateTable("api_keys").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

function findBySecret(db: Database, secretHash: Buffer) {
  return (
    db
      .selectFrom("api_keys")
      .innerJoin("users", "users.id", "api_keys.created_by")
      .innerJoin("memberships", (join) =>
        join
          .onRef("memberships.user_id", "=", "users.id")
          .onRef("memberships.organization_id", "=", "api_keys.organization_id"),
      )
      .leftJoin("applications", "applications.id", "api_keys.made_by_application")
      .select((eb) => [
        // After a rotation, the previous secret is valid for the grace period only.
        eb
          .case()
          .when("api_keys.secret_hash", "=", secretHash)
          .then(null)
          .else(eb.ref("api_keys.previous_secret_expires_at"))
          .end()
          .as("secret_ends_at"),
        "api_keys.id",
        "api_keys.organization_id",
        "memberships.role",
        "users.id as created_by",
        "api_keys.scopes",
        "allowed_models",
        "ip_allowlist",
        "max_concurrency",
        "priority",
        "spend_limit_nano_usd",
        "limit_reset",
        "expires_at",
        "disabled",
        "made_by_application",
        "made_under_grant",
        "users.is_admin",
        "users.suspended_at",
        "users.email_verified_at",
      ])
      .where((eb) =>
        eb.or([eb("api_keys.secret_hash", "=", secretHash), eb("api_keys.previous_secret_hash", "=", secretHash)]),
      )
      .where("deleted_at", "is", null)
      // A key created by an application is invalid while the application is not active.
      .where((eb) => eb.or([eb("made_by_application", "is", null), eb("applications.status", "=", "active")]))
      .executeTakeFirst()
  );
}

function markUsed(db: Database, id: string, now: Date) {
  return db.updateTable("api_keys").set({ last_used_at: now }).where("id", "=", id).execute();
}
