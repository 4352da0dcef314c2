import { sql } from "kysely";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { BillingSettings } from "../billing.settings.ts";

type NumberingScope = BillingSettings["invoiceNumbers"];

/** What a number is for. */
export type NumberedDocument = {
  organizationId: string;
  kind: "invoice" | "credit_note";
  issuedAt: Date;
  isTest: boolean;
};

const PREFIXES = {
  invoice: { real: "F", test: "TEST" },
  credit_note: { real: "CN", test: "TEST-CN" },
} as const;

/**
 * Returns the next number of the year, such as `F-2026-0001`, or `F-2026-C12-0001` for the 12th customer where numbers are
 * counted by organization. Test documents and credit notes have their own. The counter is locked until `trx` ends, so that
 * numbers have no gaps.
 */
export async function nextDocumentNumber(
  scope: NumberingScope,
  { organizationId, kind, issuedAt, isTest }: NumberedDocument,
  trx: Database,
): Promise<string> {
  const year = issuedAt.getUTCFullYear();
  const code = scope === "organization" ? await getCustomerCode(organizationId, trx) : null;
  const customer = code === null ? [] : [code];
  // The series of the operator's invoices is the empty text, as in counters from before there were others.
  const series = [...(kind === "invoice" ? [] : ["CN"]), ...customer].join("-");
  const { last } = await trx
    .insertInto("invoice_numbers")
    .values({ series, year, is_test: isTest, last: 1 })
    .onConflict((conflict) =>
      conflict.columns(["series", "year", "is_test"]).doUpdateSet({ last: sql`invoice_numbers.last + 1` }),
    )
    .returning("last")
    .executeTakeFirstOrThrow();
  const prefix = PREFIXES[kind][isTest ? "test" : "real"];
  return [prefix, year, ...customer, String(last).padStart(4, "0")].join("-");
}

/**
 * Returns how numbers name an organization: `C12`, from the next free number when it has none yet. Null for one that was
 * deleted, whose documents are counted with the operator's.
 */
async function getCustomerCode(organizationId: string, trx: Database): Promise<string | null> {
  const row = await trx
    .insertInto("billing_accounts")
    .columns(["organization_id", "customer_number"])
    .expression((eb) =>
      eb
        .selectFrom("organizations")
        .select(["id", sql<number>`nextval('customer_numbers')`.as("customer_number")])
        .where("id", "=", organizationId),
    )
    .onConflict((conflict) =>
      conflict.column("organization_id").doUpdateSet((eb) => ({
        customer_number: eb.fn.coalesce("billing_accounts.customer_number", "excluded.customer_number"),
      })),
    )
    .returning("customer_number")
    .executeTakeFirst();
  return row ? `C${row.customer_number}` : null;
}
