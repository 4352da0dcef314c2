import { sql, type Updateable } from "kysely";
import { bind } from "../../platform/core/bind.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import { lockOrganizationsForKeyShare } from "../../platform/core/db/locks.ts";
import type { Subscriptions } from "../../platform/core/db/schema.generated.ts";
import { errors } from "../../platform/core/errors/index.ts";
import { type CurrencyRate, findOrganizationRate, fromUsdCents, USD } from "../currencies/index.ts";
import { type CouponRow, FREE_PLAN_ID, type PlanRow } from "../plans/index.ts";
import type { ActiveSubscription, Discount } from "../quotes/index.ts";
import type { AccountRow, BillingState, PaymentMethodRow } from "./billing-rows.ts";
import { agreedSelection } from "./plan-selection.ts";

/** The person whom billing mail goes to: the admin who joined the organization first. */
export type Contact = { userId: string; email: string; name: string };

/** Reads and writes billing accounts, subscriptions and payment methods. */
export function createBillingRepository(db: Database) {
  return {
    ...bind(db, {
      findSubscription,
      findPlan,
      getCoupon,
      findPaymentMethod,
      findDefaultCard,
      hasPaidBefore,
      hasOpenInvoice,
      findContact,
    }),
    lockAccount,
    keepExisting,
    hasPendingPurchase,
    lockState,
    updateSubscription,
    bumpVersion,
    setDefaultCard,
  };
}

export type BillingRepository = ReturnType<typeof createBillingRepository>;

const defaultCurrency = sql<string>`coalesce((select code from currencies where is_default), ${USD})`;

/** Locks the billing account, creating it in the default currency if needed. Throws `organization.deleted`. */
async function lockAccount(organizationId: string, trx: Database): Promise<AccountRow> {
  const [foundId] = await lockOrganizationsForKeyShare([organizationId], trx);
  if (foundId === undefined) throw errors.organization.deleted();
  await trx
    .insertInto("billing_accounts")
    .values({ organization_id: organizationId, currency: defaultCurrency })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return trx
    .selectFrom("billing_accounts")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Returns whether the organization exists; if so, it cannot be deleted until `trx` ends. */
async function keepExisting(organizationId: string, trx: Database): Promise<boolean> {
  return (await lockOrganizationsForKeyShare([organizationId], trx)).length > 0;
}

/** Locks the organization's account and reads its current subscription. */
async function lockState(organizationId: string, trx: Database): Promise<BillingState> {
  const account = await lockAccount(organizationId, trx);
  const rate = await findOrganizationRate(organizationId, trx);
  return { account, rate, subscription: await findSubscription(trx, organizationId) };
}

async function findSubscription(
  db: Database,
  organizationId: string,
  trx: Database = db,
): Promise<BillingState["subscription"]> {
  const row = await trx
    .selectFrom("subscriptions")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  const plan = await findPlan(trx, row.plan_id);
  if (!plan) throw new Error(`The subscription ${row.id} is on a plan that is not there.`);
  const coupon = row.coupon_code === null ? null : await getCoupon(trx, row.coupon_code);
  return { row, plan, coupon, rate: await findOrganizationRate(organizationId, trx) };
}

function findPlan(db: Database, id: string, trx: Database = db): Promise<PlanRow | undefined> {
  return trx.selectFrom("plans").selectAll().where("id", "=", id).executeTakeFirst();
}

async function getCoupon(db: Database, code: string, trx: Database = db): Promise<CouponRow> {
  return trx
    .selectFrom("coupons")
    .selectAll()
    .where("code", "=", code)
    .executeTakeFirstOrThrow(() => errors.coupons.notFound());
}

function updateSubscription(id: string, values: Updateable<Subscriptions>, trx: Database) {
  return trx.updateTable("subscriptions").set(values).where("id", "=", id).execute();
}

/** Increments the account's version, which invalidates quotes made before, and sets its balance. */
function bumpVersion(organizationId: string, balanceCents: number, trx: Database) {
  return trx
    .updateTable("billing_accounts")
    .set((eb) => ({ version: eb("version", "+", 1), balance_cents: balanceCents }))
    .where("organization_id", "=", organizationId)
    .execute();
}

function findPaymentMethod(
  db: Database,
  organizationId: string,
  id: string,
  trx: Database = db,
): Promise<PaymentMethodRow | undefined> {
  return trx
    .selectFrom("payment_methods")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("id", "=", id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

function findDefaultCard(
  db: Database,
  organizationId: string,
  trx: Database = db,
): Promise<PaymentMethodRow | undefined> {
  return trx
    .selectFrom("payment_methods")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .where("is_default", "=", true)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

async function setDefaultCard(organizationId: string, id: string, trx: Database): Promise<void> {
  await trx
    .updateTable("payment_methods")
    .set({ is_default: false })
    .where("organization_id", "=", organizationId)
    .where("is_default", "=", true)
    .where("id", "<>", id)
    .execute();
  await trx.updateTable("payment_methods").set({ is_default: true }).where("id", "=", id).execute();
}

/** Returns whether the organization was ever on a paid plan: bought here, through a marketplace, or granted. */
async function hasPaidBefore(db: Database, organizationId: string, trx: Database = db): Promise<boolean> {
  const row = await trx
    .selectFrom("subscriptions")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("plan_id", "<>", FREE_PLAN_ID)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether the current subscription has an unpaid invoice. */
async function hasOpenInvoice(db: Database, organizationId: string, trx: Database = db): Promise<boolean> {
  const row = await trx
    .selectFrom("invoices")
    .innerJoin("subscriptions", "subscriptions.id", "invoices.subscription_id")
    .select("invoices.id")
    .where("invoices.organization_id", "=", organizationId)
    .where("invoices.status", "=", "open")
    .where("subscriptions.ended_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns whether an organization has a purchase that is being paid. Its tax was calculated before. */
async function hasPendingPurchase(organizationId: string, trx: Database): Promise<boolean> {
  const row = await trx
    .selectFrom("payments")
    .select("id")
    .where("organization_id", "=", organizationId)
    .where("purpose", "in", ["change", "top_up"])
    .where("status", "in", ["pending", "requires_action"])
    .executeTakeFirst();
  return row !== undefined;
}

async function findContact(db: Database, organizationId: string, trx: Database = db): Promise<Contact | null> {
  const row = await trx
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .innerJoin("organizations", "organizations.id", "memberships.organization_id")
    .select(["users.id as userId", "users.email", "organizations.name"])
    .where("memberships.organization_id", "=", organizationId)
    .orderBy((eb) => eb.case().when("memberships.role", "=", "admin").then(0).else(1).end())
    .orderBy("memberships.created_at")
    .orderBy("memberships.position")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the subscription as far as it is paid for here; null when there is none or it was granted. */
export function activeSubscriptionOf(subscription: BillingState["subscription"]): ActiveSubscription | null {
  if (!subscription) return null;
  const { row } = subscription;
  if (row.anchor_date === null || row.current_period_end_date === null) return null;
  return {
    ...agreedSelection(subscription),
    anchor: row.anchor_date,
    periodIndex: row.period_index,
    periodStart: row.current_period_start_date,
    periodEnd: row.current_period_end_date,
    valueCents: row.value_cents,
    valueFrom: row.value_from_date ?? row.current_period_start_date,
    trialing: row.status === "trialing",
  };
}

/** Converts a coupon that ends at `endsAt` to the discount that it gives in a currency. */
export function toDiscount(coupon: CouponRow, endsAt: Date | null, rate: CurrencyRate): Discount {
  return {
    code: coupon.code,
    percentOff: coupon.percent_off === null ? null : Number(coupon.percent_off),
    amountOffCents: coupon.amount_off_cents === null ? null : fromUsdCents(coupon.amount_off_cents, rate),
    duration: coupon.duration as Discount["duration"],
    appliesTo: coupon.applies_to,
    endsAt,
  };
}

/** Returns the discount on a subscription; null without a coupon. */
export function discountOf(subscription: BillingState["subscription"]): Discount | null {
  return subscription?.coupon
    ? toDiscount(subscription.coupon, subscription.row.coupon_end_date, subscription.rate)
    : null;
}
