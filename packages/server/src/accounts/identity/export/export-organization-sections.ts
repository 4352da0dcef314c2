import { creditsAccount } from "../../../money/credits/index.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { MODEL_ID, PAGE_SIZE, paginate, type Row, type Section, singlePage } from "./export-sections.ts";

/** Lists the data of organizations that the user is an admin of. */
export function listOrganizationSections(db: Database, userId: string): Section[] {
  const organizations = () => selectAdministered(db, userId);
  return [
    ...listBillingSections(db, organizations),
    ...listPaymentSections(db, organizations),
    ...listModelSections(db, organizations),
    { name: "credit_transactions", rows: readCreditTransactions(db, organizations) },
  ];
}

/** Selects the ids of the organizations that the user is an admin of. */
function selectAdministered(db: Database, userId: string) {
  return db
    .selectFrom("memberships")
    .select("organization_id")
    .where("user_id", "=", userId)
    .where("role", "=", "admin");
}

/** Returns the subscriptions and invoices of organizations, and to whom invoices are written. */
function listBillingSections(db: Database, organizations: () => ReturnType<typeof selectAdministered>): Section[] {
  return [
    {
      name: "subscriptions",
      rows: singlePage(
        db
          .selectFrom("subscriptions")
          .leftJoin("billing_accounts", "billing_accounts.organization_id", "subscriptions.organization_id")
          .select([
            "id",
            "subscriptions.organization_id",
            "billing_accounts.currency",
            "plan_id",
            "quantity",
            "status",
            "price_cents",
            "billing_interval",
            "current_period_start_date",
            "current_period_end_date",
            "trial_end_date",
            "coupon_code",
            "created_at",
            "ended_at",
          ])
          .where("subscriptions.organization_id", "in", organizations())
          .orderBy("created_at"),
      ),
    },
    {
      name: "invoices",
      rows: singlePage(
        db
          .selectFrom("invoices")
          .select([
            "organization_id",
            "number",
            "kind",
            "status",
            "lines",
            "currency",
            "total_cents",
            "refunded_cents",
            "billed_to",
            "vat_id_state",
            "vat_id_answered_at",
            "vat_id_consultation_number",
            "created_at",
            "paid_at",
          ])
          .where("organization_id", "in", organizations())
          .orderBy("created_at"),
      ),
    },
    {
      name: "credit_notes",
      rows: singlePage(
        db
          .selectFrom("credit_notes")
          .select(["organization_id", "invoice_id", "number", "currency", "tax_cents", "total_cents", "created_at"])
          .where("organization_id", "in", organizations())
          .orderBy("created_at"),
      ),
    },
    {
      name: "billing_details",
      rows: singlePage(
        db
          .selectFrom("billing_details")
          .select(["organization_id", "name", "address", "postal_code", "city", "country", "vat_id", "buyer_reference"])
          .select(["email", "updated_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "vat_id_checks",
      rows: singlePage(
        db
          .selectFrom("vat_id_checks")
          .select(["organization_id", "vat_id", "state", "answered_at", "consultation_number"])
          .where("organization_id", "in", organizations()),
      ),
    },
  ];
}

/** Returns how organizations pay: automatic top-ups, cards, coupons and marketplace accounts. */
function listPaymentSections(db: Database, organizations: () => ReturnType<typeof selectAdministered>): Section[] {
  return [
    {
      name: "automatic_top_ups",
      rows: singlePage(
        db
          .selectFrom("auto_top_ups")
          .select(["organization_id", "user_id", "threshold_cents", "amount_cents", "monthly_limit_cents"])
          .select(["paused_at", "pause_reason", "updated_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "payment_methods",
      rows: singlePage(
        db
          .selectFrom("payment_methods")
          .select(["organization_id", "brand", "last4", "exp_month", "exp_year", "created_at", "deleted_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "coupons",
      rows: singlePage(
        db
          .selectFrom("coupon_redemptions")
          .select(["organization_id", "coupon_code", "redeemed_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "marketplace_accounts",
      rows: singlePage(
        db
          .selectFrom("marketplace_accounts")
          .select(["id", "organization_id", "provider", "customer_id", "reference", "product", "offer", "quantity"])
          .select(["status", "note", "created_at", "ends_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "metering_limits",
      rows: singlePage(
        db
          .selectFrom("metering_limits")
          .select(["organization_id", "monthly_limit_cents", "updated_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "metered_usage",
      rows: singlePage(
        db
          .selectFrom("metered_usage")
          .select(["id", "organization_id", "provider", "reference", "offer", "dimension", "hour"])
          .select(["units", "unit_price_nano_usd", "status", "settled_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
  ];
}

/** Returns the private models and deployments of organizations. */
function listModelSections(db: Database, organizations: () => ReturnType<typeof selectAdministered>): Section[] {
  return [
    {
      name: "private_models",
      rows: singlePage(
        db
          .selectFrom("private_models")
          .select(["organization_id", MODEL_ID, "name", "revision", "created_at", "updated_at"])
          .where("organization_id", "in", organizations()),
      ),
    },
    {
      name: "deployments",
      rows: singlePage(
        db
          .selectFrom("deployments")
          .select([
            "id",
            "organization_id",
            "name",
            MODEL_ID,
            "revision",
            "provider_id",
            "region",
            "instance_type",
            "min_replicas",
            "max_replicas",
            "engine_args",
            "visibility",
            "state",
            "created_at",
            "updated_at",
          ])
          .where("organization_id", "in", organizations()),
      ),
    },
  ];
}

/** Yields the credit transactions of organizations in the order in which they were posted. */
async function* readCreditTransactions(
  db: Database,
  organizations: () => { execute(): Promise<{ organization_id: string }[]> },
): AsyncGenerator<readonly Row[]> {
  const accounts = (await organizations().execute()).map(({ organization_id }) => creditsAccount(organization_id));
  if (accounts.length === 0) return;
  yield* paginate<Row & { sequence: number }>((after) =>
    db
      .selectFrom("ledger_entries")
      .innerJoin("ledger_transactions", "ledger_transactions.id", "ledger_entries.transaction_id")
      .select([
        "ledger_entries.sequence",
        "ledger_transactions.id",
        "organization_id",
        "kind",
        "amount_nano_usd",
        "description",
        "request_id",
        "created_at",
      ])
      .where("account", "in", accounts)
      .where("ledger_entries.sequence", ">", after?.sequence ?? 0)
      .orderBy("ledger_entries.sequence")
      .limit(PAGE_SIZE)
      .execute(),
  );
}
