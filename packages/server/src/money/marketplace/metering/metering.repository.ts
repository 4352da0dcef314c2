import { type Selectable, sql } from "kysely";
import { bind } from "../../../platform/core/bind.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { MarketplaceMeters, MeteredUsage } from "../../../platform/core/db/schema.generated.ts";
import { HOUR_MS, startOfHour } from "../../../platform/core/time.ts";
import type { MarketplaceProvider } from "../../billing/index.ts";

/** A row of the table of meters. */
export type MeterRow = Selectable<MarketplaceMeters>;
/** A row of the table of metered usage: what was drawn for a purchase in an hour. */
export type UsageRow = Selectable<MeteredUsage>;
/** Metered usage with the name of its organization, null once that is deleted. */
export type NamedUsageRow = UsageRow & { organization_name: string | null };
/** What admins filter usage by. `search` looks in the organization's name and in the id of the purchase. */
export type UsageFilter = {
  search?: string | undefined;
  provider?: MarketplaceProvider | undefined;
  status?: string | undefined;
};
/** The marketplaces at which usage can be reported, and whether they are tests. */
export type MeteredMarketplaces = { providers: readonly MarketplaceProvider[]; isTest: boolean };
/** How the usage of an organization is metered: its purchase, and the meter of what was bought. */
export type MeteringTerms = Pick<MeterRow, "dimension" | "unit_price_nano_usd" | "max_monthly_cents"> & {
  provider: string;
  reference: string;
  usage_id: string;
  offer: string;
  is_test: boolean;
  /** Whether the marketplace did not take earlier usage of the purchase, so that no more is metered. */
  is_paused: boolean;
};
/** The hour to which usage is added: the row that is open, or where a new one begins. */
export type OpenHour = { row: UsageRow | null; hour: Date };

/** A report that failed this often pauses its purchase. */
const PAUSING_ATTEMPTS = 3;

/** Reads and writes what is metered at marketplaces. */
export function createMeteringRepository(db: Database) {
  return {
    ...bind(db, { findTerms, findLimit, sumUsage, listOpen, listMeters, search: searchUsage }),
    lockLimit,
    switchOff,
    lockOpenHour,
  };
}
export type MeteringRepository = ReturnType<typeof createMeteringRepository>;

/** Returns how the usage of an organization is metered; undefined where its plan was not bought with a meter. */
async function findTerms(
  db: Database,
  organizationId: string,
  { providers, isTest }: MeteredMarketplaces,
  trx: Database = db,
): Promise<MeteringTerms | undefined> {
  if (providers.length === 0) return undefined;
  const { rows } = await sql<MeteringTerms>`
    select a.provider, a.reference, a.usage_id, a.offer, a.is_test,
      m.dimension, m.unit_price_nano_usd, m.max_monthly_cents,
      exists (
        select from metered_usage u
        where u.provider = a.provider and u.reference = a.reference and u.reason is not null
          and ((u.status = 'sent' and u.attempts >= ${PAUSING_ATTEMPTS}) or (u.status = 'refused' and u.settled_at > m.updated_at))
      ) as is_paused
    from marketplace_accounts a
    join marketplace_meters m on m.provider = a.provider and m.offer = a.offer
    join subscriptions s on s.organization_id = a.organization_id and s.plan_id = a.product
    join plans p on p.id = s.plan_id
    where a.organization_id = ${organizationId} and a.status = 'active' and a.ends_at is null and a.usage_id is not null
      and a.provider = any(${[...providers]}) and a.is_test = ${isTest}
      and s.ended_at is null and s.anchor_date is null and s.status = 'active' and p.billing_mode = 'request_pricing'
    order by a.created_at desc, a.id limit 1`.execute(trx);
  return rows[0];
}

/** Returns the limit that an organization set, in cents; null while metered usage is off. */
async function findLimit(db: Database, organizationId: string, trx: Database = db): Promise<number | null> {
  const row = await trx
    .selectFrom("metering_limits")
    .select("monthly_limit_cents")
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row?.monthly_limit_cents ?? null;
}

/** Returns what an organization drew in the calendar month of `now`, in nano-USD, however that was settled. */
async function sumUsage(db: Database, organizationId: string, now: Date, trx: Database = db): Promise<bigint> {
  const { sum } = await trx
    .selectFrom("metered_usage")
    .select(sql<string>`coalesce(sum(units * unit_price_nano_usd), 0)`.as("sum"))
    .where("organization_id", "=", organizationId)
    .where("hour", ">=", new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth())))
    .executeTakeFirstOrThrow();
  return BigInt(sum);
}

/** Returns the hours of an organization that are open, in the order in which they are closed. */
function listOpen(db: Database, organizationId: string, trx: Database = db): Promise<UsageRow[]> {
  return trx
    .selectFrom("metered_usage")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("status", "=", "open")
    .orderBy("hour")
    .orderBy("id")
    .execute();
}

function listMeters(db: Database): Promise<MeterRow[]> {
  return db.selectFrom("marketplace_meters").selectAll().orderBy("provider").orderBy("offer").execute();
}

async function searchUsage(
  db: Database,
  { search: text = "", provider, status }: UsageFilter,
  limit: number,
  offset: number,
): Promise<{ rows: NamedUsageRow[]; total: number }> {
  const part = text.trim().toLowerCase();
  let query = db
    .selectFrom("metered_usage")
    .leftJoin("organizations", "organizations.id", "metered_usage.organization_id");
  if (provider !== undefined) query = query.where("provider", "=", provider);
  if (status !== undefined) query = query.where("metered_usage.status", "=", status);
  // `strpos` knows no wildcards, so there is nothing to escape.
  if (part !== "")
    query = query.where(sql<boolean>`strpos(lower(concat_ws(' ', reference, organizations.name)), ${part}) > 0`);
  const [rows, { total }] = await Promise.all([
    query
      .selectAll("metered_usage")
      .select("organizations.name as organization_name")
      .orderBy("hour", "desc")
      .orderBy("metered_usage.id")
      .limit(limit)
      .offset(offset)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/**
 * Locks the limit of an organization, so that its draws and the closing of its hours follow each other, and returns it in
 * cents; null while metered usage is off.
 */
async function lockLimit(organizationId: string, trx: Database): Promise<number | null> {
  const row = await trx
    .selectFrom("metering_limits")
    .select("monthly_limit_cents")
    .where("organization_id", "=", organizationId)
    .forUpdate()
    .executeTakeFirst();
  return row?.monthly_limit_cents ?? null;
}

/** Switches metered usage of an organization off. */
async function switchOff(organizationId: string, now: Date, trx: Database): Promise<void> {
  await trx
    .updateTable("metering_limits")
    .set({ monthly_limit_cents: null, updated_at: now })
    .where("organization_id", "=", organizationId)
    .execute();
}

/**
 * Returns the hour to which usage of an organization is added, with its row locked: that of `now`, or the next one where
 * that is closed already, or has another price or payer.
 */
async function lockOpenHour(terms: MeteringTerms, organizationId: string, now: Date, trx: Database): Promise<OpenHour> {
  const rows = await trx
    .selectFrom("metered_usage")
    .selectAll()
    .where("provider", "=", terms.provider)
    .where("reference", "=", terms.reference)
    .where("dimension", "=", terms.dimension)
    .where("hour", ">=", startOfHour(now))
    .orderBy("hour")
    .forUpdate()
    .execute();
  const row = rows.find(
    (one) =>
      one.status === "open" &&
      one.organization_id === organizationId &&
      one.unit_price_nano_usd === terms.unit_price_nano_usd,
  );
  if (row) return { row, hour: row.hour };
  const last = rows.at(-1);
  return { row: null, hour: last ? new Date(last.hour.getTime() + HOUR_MS) : startOfHour(now) };
}
