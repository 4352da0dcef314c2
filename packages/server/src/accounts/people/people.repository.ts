import { type Expression, type ExpressionBuilder, type SqlBool, sql, type Updateable } from "kysely";
import { FREE_PLAN_ID } from "../../money/plans/index.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { DB, Users } from "../../platform/core/db/schema.generated.ts";
import type { Page } from "../../platform/core/http/pagination.ts";
import { DAY_MS } from "../../platform/core/time.ts";
import { HAS_PASSKEY } from "../identity/index.ts";

const REQUEST_COUNT_WINDOW_MS = 30 * DAY_MS;

/** Sort orders of the list of users; a minus means descending. */
export type UserSort = "-created_at" | "created_at" | "email" | "-email" | "-last_seen_at" | "-requests_30d";
/** Conditions of the list of users; all of them must hold. */
export type UserFilter = {
  search?: string;
  plan_id?: string;
  is_admin?: boolean;
  status?: "active" | "unverified" | "pending" | "suspended";
  created_from_date?: string;
  /** Last day, inclusive. */
  created_to_date?: string;
};

type Context = ReturnType<typeof createContext>;

/** Creates the repository of users as admins see them. */
export function createPeopleRepository(db: Database) {
  const context = createContext(db);
  return {
    ...bind(context, {
      list: listPeople,
      find: findPerson,
    }),
    lockWithAdmins,
    findOrganization,
    update: updatePerson,
    revokeSessions,
  };
}

/** Reads and updates users for admins. */
export type PeopleRepository = ReturnType<typeof createPeopleRepository>;

/** Returns the dependencies with what is derived from them. */
function createContext(db: Database) {
  const planIdSql = sql<string>`coalesce((select plan_id from subscriptions
    where subscriptions.organization_id = person.organization_id and ended_at is null), ${FREE_PLAN_ID})`;
  return { db, planIdSql };
}

/**
 * Users with the organization that they have been a member of for the longest time, which is their own. Their requests are
 * counted together: no index finds those of a user, so that counting them for each would read all requests as often.
 */
function peopleQuery(trx: Database, now: Date) {
  return trx.selectFrom((from) =>
    from
      .selectFrom("users")
      .leftJoin(
        (eb) =>
          eb
            .selectFrom("requests")
            .select(["user_id", (count) => count.fn.countAll<number>().as("requests")])
            .where("started_at", ">", new Date(now.getTime() - REQUEST_COUNT_WINDOW_MS))
            .groupBy("user_id")
            .as("recent"),
        (join) => join.onRef("recent.user_id", "=", "users.id"),
      )
      .select((eb) => [
        "users.id",
        "users.email",
        "users.email_lower",
        "users.username",
        "users.name",
        "users.is_admin",
        "users.email_verified_at",
        "users.suspended_at",
        "users.suspension_reason",
        "users.approval_requested_at",
        "users.totp_enabled_at",
        HAS_PASSKEY.as("has_passkey"),
        "users.password_hash",
        "users.created_at",
        ownMembership(eb).select("memberships.organization_id").as("organization_id"),
        ownMembership(eb)
          .innerJoin("organizations", "organizations.id", "memberships.organization_id")
          .select("organizations.name")
          .as("organization_name"),
        eb
          .selectFrom("sessions")
          .select((max) => max.fn.max("last_seen_at").as("at"))
          .whereRef("user_id", "=", "users.id")
          .where("impersonated_by", "is", null)
          .as("last_seen_at"),
        sql<number>`coalesce(recent.requests, 0)`.as("requests_30d"),
      ])
      .as("person"),
  );
}

/** The membership of a user that is the oldest. */
const ownMembership = (eb: ExpressionBuilder<DB, "users">) =>
  eb
    .selectFrom("memberships")
    .whereRef("memberships.user_id", "=", "users.id")
    .orderBy("memberships.created_at")
    .orderBy("memberships.position")
    .limit(1);

function filteredPeople({ db, planIdSql }: Context, filter: UserFilter, now: Date) {
  return peopleQuery(db, now).where((eb) => {
    const { search, plan_id, is_admin, status, created_from_date, created_to_date } = filter;
    const conditions: Expression<SqlBool>[] = [];
    if (search !== undefined) {
      const pattern = `%${search.toLowerCase().replaceAll(/[\\%_]/g, "\\$&")}%`;
      conditions.push(
        eb.or([
          eb("email_lower", "like", pattern),
          eb(sql<string>`lower(username)`, "like", pattern),
          eb(sql<string>`lower(name)`, "like", pattern),
          eb(sql<string>`lower(organization_name)`, "like", pattern),
          eb("id", "=", search),
        ]),
      );
    }
    if (plan_id !== undefined) conditions.push(eb(planIdSql, "=", plan_id));
    if (is_admin !== undefined) conditions.push(eb("is_admin", "=", is_admin));
    if (status === "suspended") conditions.push(eb("suspended_at", "is not", null));
    if (status !== undefined && status !== "suspended") conditions.push(eb("suspended_at", "is", null));
    if (status === "unverified") conditions.push(eb("email_verified_at", "is", null));
    if (status === "pending" || status === "active") conditions.push(eb("email_verified_at", "is not", null));
    if (status === "pending") conditions.push(eb("approval_requested_at", "is not", null));
    if (status === "active") conditions.push(eb("approval_requested_at", "is", null));
    if (created_from_date !== undefined) conditions.push(eb("created_at", ">=", new Date(created_from_date)));
    if (created_to_date !== undefined)
      conditions.push(eb("created_at", "<", new Date(Date.parse(created_to_date) + DAY_MS)));
    return eb.and(conditions);
  });
}

async function listPeople(context: Context, filter: UserFilter, sort: UserSort, { limit, offset }: Page, now: Date) {
  const { planIdSql } = context;
  const [rows, { total }] = await Promise.all([
    filteredPeople(context, filter, now)
      .selectAll("person")
      .select(planIdSql.as("plan_id"))
      .orderBy(toOrderBy(sort))
      .orderBy("id")
      .limit(limit)
      .offset(offset)
      .execute(),
    filteredPeople(context, filter, now)
      .select((eb) => eb.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

function findPerson({ db, planIdSql }: Context, id: string, now: Date) {
  return peopleQuery(db, now)
    .selectAll("person")
    .select(planIdSql.as("plan_id"))
    .where("id", "=", id)
    .executeTakeFirst();
}

/** Locks the user and all admins until the transaction ends, so that two changes at once cannot remove the last admin. */
async function lockWithAdmins(id: string, trx: Database) {
  const rows = await trx
    .selectFrom("users")
    .select(["id", "email", "is_admin", "suspended_at", "email_verified_at"])
    .where((eb) => eb.or([eb("id", "=", id), eb("is_admin", "=", true)]))
    .orderBy("id")
    .forNoKeyUpdate()
    .execute();
  return {
    user: rows.find((row) => row.id === id),
    /** All admins who are not suspended. */
    admins: rows.filter((row) => row.is_admin && row.suspended_at === null),
  };
}

function findOrganization(userId: string, trx: Database) {
  return trx
    .selectFrom("memberships")
    .select("organization_id")
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .executeTakeFirst();
}

function updatePerson(id: string, change: Updateable<Users>, trx: Database) {
  return trx.updateTable("users").set(change).where("id", "=", id).execute();
}

/** Revokes the user's sessions, and those in which they act as another user. */
function revokeSessions(userId: string, now: Date, trx: Database) {
  return trx
    .updateTable("sessions")
    .set({ revoked_at: now })
    .where((eb) => eb.or([eb("user_id", "=", userId), eb("impersonated_by", "=", userId)]))
    .where("revoked_at", "is", null)
    .execute();
}

/** A user with their organization, plan and activity, as admins see them. */
export type PersonRow = NonNullable<Awaited<ReturnType<PeopleRepository["find"]>>>;

function toOrderBy(sort: UserSort) {
  const column = sql.ref(sort.replace("-", "") === "email" ? "email_lower" : sort.replace("-", ""));
  return sort.startsWith("-") ? sql`${column} desc nulls last` : sql`${column} asc`;
}
