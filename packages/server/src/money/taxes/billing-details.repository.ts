import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";

/** To whom an organization's invoices are written, and the address of its accounting. Null is what is not set. */
export type BillingDetails = {
  /** The legal name; null for the name of the organization. */
  name: string | null;
  /** The lines of the address, without postal code, city and country. */
  address: string | null;
  postalCode: string | null;
  city: string | null;
  /** The code of the country, such as DE. */
  country: string | null;
  vatId: string | null;
  /** What invoices are to name, such as the Leitweg-ID of a German authority. */
  buyerReference: string | null;
  /** Where receipts go; null for the admin who joined first. */
  email: string | null;
};

const NO_DETAILS: BillingDetails = {
  name: null,
  address: null,
  postalCode: null,
  city: null,
  country: null,
  vatId: null,
  buyerReference: null,
  email: null,
};

/** Reads and writes billing details. */
export function createBillingDetailsRepository(db: Database) {
  return { ...bind(db, { find: findDetails }), save: saveDetails };
}

export type BillingDetailsRepository = ReturnType<typeof createBillingDetailsRepository>;

async function findDetails(db: Database, organizationId: string, trx: Database = db): Promise<BillingDetails> {
  const row = await trx
    .selectFrom("billing_details")
    .select(["name", "address", "postal_code as postalCode", "city", "country", "vat_id as vatId"])
    .select(["buyer_reference as buyerReference", "email"])
    .where("organization_id", "=", organizationId)
    .executeTakeFirst();
  return row ?? NO_DETAILS;
}

async function saveDetails(organizationId: string, details: BillingDetails, now: Date, trx: Database): Promise<void> {
  const { vatId: vat_id, postalCode: postal_code, buyerReference: buyer_reference, ...rest } = details;
  const values = { ...rest, vat_id, postal_code, buyer_reference, updated_at: now };
  await trx
    .insertInto("billing_details")
    .values({ organization_id: organizationId, ...values })
    .onConflict((conflict) => conflict.column("organization_id").doUpdateSet(values))
    .execute();
}
