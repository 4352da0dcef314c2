import { type Insertable, type Selectable, sql, type Updateable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { ApiKeys } from "../../platform/core/db/schema.generated.ts";

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

/** Counts from the same start of the period as `reserve_credits` in the database. */
const sumSpending = (now: Date) => sql<string>`(
  select coalesce(sum(spent_nano_usd), 0) from api_key_spend
  where api_key_id = api_keys.id and day >= case limit_reset
    when 'none' then '-infinity'::date
    else date_trunc(limit_reset, ${now}::timestamptz at time zone 'UTC')::date
  end
)`;

function keysWithDetails(db: Database, organizationId: string, now: Date) {
  return activeKeys(db, organizationId)
    .leftJoin("users", "users.id", "api_keys.created_by")
    .leftJoin("applications", "applications.id", "api_keys.made_by_application")
    .selectAll("api_keys")
    .select(["users.name as created_by_name", "applications.name as created_by_application"])
    .select(sumSpending(now).as("spent_nano_usd"));
}

function listKeys(
  db: Database,
  organizationId: string,
  { limit, offset }: { limit: number; offset: number },
  now: Date,
): Promise<ApiKeyDetails[]> {
  return keysWithDetails(db, organizationId, now)
    .orderBy("api_keys.created_at", "desc")
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

async function countKeys(db: Database, organizationId: string): Promise<number> {
  const { count } = await activeKeys(db, organizationId)
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
  return keysWithDetails(trx, organizationId, now).where("api_keys.id", "=", id).executeTakeFirst();
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
