import { type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { MarketplaceAccounts } from "../../platform/core/db/schema.generated.ts";
import type { MarketplaceProvider } from "../billing/index.ts";

/** A row of the table of marketplace accounts: one purchase. */
export type PurchaseRow = Selectable<MarketplaceAccounts>;
/** A purchase with the name of the organization that it pays for. */
export type NamedPurchaseRow = PurchaseRow & { organization_name: string };
/** What admins filter purchases by. `search` looks in the organization's name and in the ids at the marketplace. */
export type PurchaseFilter = {
  search?: string | undefined;
  provider?: MarketplaceProvider | undefined;
  status?: string | undefined;
};

/** Reads purchases at marketplaces. */
export function createPurchasesRepository(db: Database) {
  return { ...bind(db, { listOf, search, find, listToCheck, listAffected, listOver, askAgain }), lock };
}
export type PurchasesRepository = ReturnType<typeof createPurchasesRepository>;

/** Returns the purchases for an organization, newest first. */
function listOf(db: Database, organizationId: string): Promise<PurchaseRow[]> {
  return db
    .selectFrom("marketplace_accounts")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

const selectNamed = (db: Database) =>
  db
    .selectFrom("marketplace_accounts")
    .innerJoin("organizations", "organizations.id", "marketplace_accounts.organization_id");

async function search(
  db: Database,
  { search: text = "", provider, status }: PurchaseFilter,
  limit: number,
  offset: number,
): Promise<{ rows: NamedPurchaseRow[]; total: number }> {
  const part = text.trim().toLowerCase();
  let query = selectNamed(db);
  if (provider !== undefined) query = query.where("provider", "=", provider);
  if (status !== undefined) query = query.where("status", "=", status);
  // `strpos` knows no wildcards, so there is nothing to escape.
  if (part !== "")
    query = query.where(
      sql<boolean>`strpos(lower(concat_ws(' ', reference, customer_id, organizations.name)), ${part}) > 0`,
    );
  const [rows, { total }] = await Promise.all([
    query
      .selectAll("marketplace_accounts")
      .select("organizations.name as organization_name")
      .orderBy("marketplace_accounts.created_at", "desc")
      .orderBy("marketplace_accounts.id")
      .limit(limit)
      .offset(offset)
      .execute(),
    query.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

async function find(db: Database, id: string): Promise<NamedPurchaseRow | undefined> {
  return selectNamed(db)
    .selectAll("marketplace_accounts")
    .select("organizations.name as organization_name")
    .where("marketplace_accounts.id", "=", id)
    .executeTakeFirst();
}

/** Returns the purchases at these marketplaces that were last asked about before `before`, longest ago first. */
function listToCheck(
  db: Database,
  providers: readonly MarketplaceProvider[],
  before: Date,
  limit: number,
): Promise<PurchaseRow[]> {
  return db
    .selectFrom("marketplace_accounts")
    .selectAll()
    .where("provider", "in", providers)
    .where("status", "<>", "canceled")
    .where("is_test", "=", false)
    .where((eb) => eb.or([eb("checked_at", "is", null), eb("checked_at", "<=", before)]))
    .orderBy(sql`checked_at nulls first`)
    .limit(limit)
    .execute();
}

/** Returns the purchases that a notification is about. Those that ended here stay so, whatever the marketplace says. */
function listAffected(
  db: Database,
  { provider, reference, customer_id }: { provider: string; reference: string | null; customer_id: string | null },
): Promise<PurchaseRow[]> {
  return db
    .selectFrom("marketplace_accounts")
    .selectAll()
    .where("provider", "=", provider)
    .where("status", "<>", "canceled")
    .where("is_test", "=", false)
    .where((eb) => eb.or([eb("reference", "=", reference ?? ""), eb("customer_id", "=", customer_id ?? "")]))
    .execute();
}

/** Returns the purchases whose plan is to end now. */
function listOver(db: Database, now: Date): Promise<PurchaseRow[]> {
  return db
    .selectFrom("marketplace_accounts")
    .selectAll()
    .where("ends_at", "<=", now)
    .where("status", "<>", "canceled")
    .execute();
}

/** Lets the job ask the marketplace about a purchase the next time that it runs. */
async function askAgain(db: Database, id: string): Promise<void> {
  await db.updateTable("marketplace_accounts").set({ checked_at: null }).where("id", "=", id).execute();
}

/** Returns a purchase, locked until the transaction ends; undefined when it was deleted with its organization. */
async function lock(id: string, trx: Database): Promise<PurchaseRow | undefined> {
  return trx.selectFrom("marketplace_accounts").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
}
