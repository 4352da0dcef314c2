import { type Selectable, sql } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { Currencies } from "../../platform/core/db/schema.generated.ts";
import { USD } from "./currency-codes.ts";
import { type CurrencyRate, toCurrencyRate } from "./currency-rate.ts";

/** A row of the table of currencies. */
export type CurrencyRow = Selectable<Currencies>;
/** A currency, and how many organizations pay in it. */
export type CurrencyUse = CurrencyRow & { organizations: number };

/** Reads and writes the currencies in which organizations can pay. */
export function createCurrenciesRepository(db: Database) {
  return {
    ...bind(db, { list: listCurrencies, listUses, findUse }),
    save: saveCurrency,
    makeDefault,
    remove: removeCurrency,
  };
}

export type CurrenciesRepository = ReturnType<typeof createCurrenciesRepository>;

/** The currency in which an organization pays: the one it chose or bought in, or the default. */
export const currencyOf = (organizationId: unknown) => sql<string>`coalesce(
  (select billing_accounts.currency from billing_accounts where billing_accounts.organization_id = ${organizationId}),
  (select code from currencies where is_default), ${USD})`;

/** Returns the currency in which an organization pays, at its present rate. */
export async function findOrganizationRate(organizationId: string, trx: Database): Promise<CurrencyRate> {
  const row = await trx
    .selectFrom("currencies")
    .select(["code", "units_per_usd"])
    .where("code", "=", currencyOf(organizationId))
    .executeTakeFirstOrThrow();
  return toCurrencyRate(row.code, row.units_per_usd);
}

/** Returns the present rate of a currency; null when it is not switched on. */
export async function findRate(code: string, trx: Database): Promise<CurrencyRate | null> {
  const row = await trx.selectFrom("currencies").select("units_per_usd").where("code", "=", code).executeTakeFirst();
  return row ? toCurrencyRate(code, row.units_per_usd) : null;
}

/** Returns the currencies, US dollars first. */
export function listCurrencies(db: Database, trx: Database = db): Promise<CurrencyRow[]> {
  return trx
    .selectFrom("currencies")
    .selectAll()
    .orderBy((eb) => eb("code", "=", USD), "desc")
    .orderBy("code")
    .execute();
}

async function listUses(db: Database, trx: Database = db): Promise<CurrencyUse[]> {
  const { rows } = await sql<CurrencyUse>`
    select currencies.*, count(organizations.id)::float8 as organizations
    from currencies left join organizations on ${currencyOf(sql.ref("organizations.id"))} = currencies.code
    group by currencies.code order by currencies.code = ${USD} desc, currencies.code`.execute(trx);
  return rows;
}

async function findUse(db: Database, code: string, trx: Database = db): Promise<CurrencyUse | undefined> {
  return (await listUses(db, trx)).find((row) => row.code === code);
}

/** Stores the rate of a currency, and switches it on. Returns the rate before; null when it was off. */
async function saveCurrency(code: string, unitsPerUsd: string, now: Date, trx: Database): Promise<string | null> {
  const before = await trx
    .selectFrom("currencies")
    .selectAll()
    .where("code", "=", code)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const values = { units_per_usd: unitsPerUsd, updated_at: now };
  await trx
    .insertInto("currencies")
    .values({ code, ...values })
    .onConflict((conflict) => conflict.column("code").doUpdateSet(values))
    .execute();
  return before?.units_per_usd ?? null;
}

/** Makes a currency the one of organizations that have not chosen. */
async function makeDefault(code: string, trx: Database): Promise<void> {
  await trx.updateTable("currencies").set({ is_default: false }).where("is_default", "=", true).execute();
  await trx.updateTable("currencies").set({ is_default: true }).where("code", "=", code).execute();
}

/** Switches a currency off, and deletes the prices of plans in it. The database refuses while an account is in it. */
async function removeCurrency(code: string, trx: Database): Promise<void> {
  await trx.deleteFrom("currencies").where("code", "=", code).execute();
  await sql`update plans set prices = prices - ${code}::text, version = version + 1 where prices ? ${code}::text`.execute(
    trx,
  );
}
