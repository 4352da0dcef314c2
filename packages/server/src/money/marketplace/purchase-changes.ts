import type { Updateable } from "kysely";
import type { Audit } from "../../platform/core/audit.ts";
import { bind } from "../../platform/core/bind.ts";
import type { Clock } from "../../platform/core/clock.ts";
import type { Database } from "../../platform/core/db/connect.ts";
import type { MarketplaceAccounts } from "../../platform/core/db/schema.generated.ts";
import { HOUR_MS } from "../../platform/core/time.ts";
import type { Mail } from "../../platform/mail/index.ts";
import { type Billing, MARKETPLACE_NAMES, type MarketplaceProvider } from "../billing/index.ts";
import { isForSale, isPaidPlan, type PlanRow } from "../plans/index.ts";
import { formatDate } from "../quotes/index.ts";
import { purchaseEndedMail } from "./marketplace.mails.ts";
import type { Purchase, PurchasedItem } from "./marketplace-driver.ts";
import { decidePurchaseStep, type PlanChoice, type PurchaseStep } from "./purchase-decision.ts";
import type { PurchaseRow } from "./purchases.repository.ts";

type BillingPart = Pick<Billing, "billingRepository" | "grantPlan" | "cancellation">;
type Deps = {
  billing: BillingPart;
  audit: Audit;
  mail: Mail;
  clock: Clock;
  /** The plans of what is sold at marketplaces, where the ids differ. */
  planIds: Readonly<Record<string, string>>;
  graceHours: number;
};

const PAID_HERE_NOTE = "The organization pays for a plan here. The purchase begins when that plan is canceled.";

/** Applies what marketplaces say about purchases to the plans of organizations. */
export function createPurchaseChanges(deps: Deps) {
  return bind(deps, { findPlan, apply: applyPurchase, finish: finishPurchase });
}
export type PurchaseChanges = ReturnType<typeof createPurchaseChanges>;

/** Returns the first of the items that stands for a paid plan, with that plan, whether for sale or not. */
async function findPlan(
  { billing, planIds }: Deps,
  items: readonly PurchasedItem[],
  trx: Database,
): Promise<{ item: PurchasedItem; plan: PlanRow } | null> {
  for (const item of items) {
    const planId = planIds[item.offer] ?? item.offer;
    const plan = isPaidPlan(planId) ? await billing.billingRepository.findPlan(planId, trx) : undefined;
    if (plan) return { item, plan };
  }
  return null;
}

/**
 * Applies the state of a purchase at the marketplace, null where it has none. Needs a transaction that has locked the
 * billing account and then the purchase. Returns the purchase afterwards.
 */
async function applyPurchase(
  deps: Deps,
  row: PurchaseRow,
  purchase: Purchase | null,
  trx: Database,
): Promise<PurchaseRow> {
  const found = await findPlan(deps, purchase?.items ?? [], trx);
  const plan = found && isForSale(found.plan) ? toPlanChoice(found) : null;
  // One that was canceled here is given anew like one that has not begun.
  const status = row.status === "canceled" ? "pending" : row.status;
  const known = { status, planId: row.product, quantity: row.quantity };
  const step = decidePurchaseStep(known, purchase, plan);
  const offer = found?.item.offer ?? purchase?.items[0]?.offer ?? row.offer;
  const usageId = purchase?.usageId ?? row.usage_id;
  const outcome = await carryOut(deps, row, step, trx);
  const updated = await update(
    row.id,
    { ...outcome.values, offer, usage_id: usageId, status: outcome.status, checked_at: deps.clock.now() },
    trx,
  );
  if (outcome.status !== row.status || step.kind === "grant") await recordChange(deps, updated, row.status, trx);
  return updated;
}

function toPlanChoice({ item, plan }: { item: PurchasedItem; plan: PlanRow }): PlanChoice {
  return { planId: plan.id, quantity: plan.unit_based ? item.quantity : 1 };
}

type Outcome = { status: string; values: Updateable<MarketplaceAccounts> };

async function carryOut(deps: Deps, row: PurchaseRow, step: PurchaseStep, trx: Database): Promise<Outcome> {
  switch (step.kind) {
    case "keep":
      return { status: row.status, values: { note: null, ends_at: null } };
    case "wait":
      return { status: row.status, values: { note: step.note } };
    case "grant":
      return grant(deps, row, step, trx);
    case "pause":
      await setSubscriptionStatus(row, "paused", trx);
      return { status: "suspended", values: { note: null, ends_at: null } };
    case "resume":
      await setSubscriptionStatus(row, "active", trx);
      return { status: "active", values: { note: null, ends_at: null } };
    case "cancel":
      return { status: "canceled", values: { note: null, ends_at: null } };
    case "end":
      return scheduleEnd(deps, row, trx);
  }
}

async function grant(deps: Deps, row: PurchaseRow, { planId, quantity }: PlanChoice, trx: Database): Promise<Outcome> {
  const { billingRepository, grantPlan } = deps.billing;
  const { subscription } = await billingRepository.lockState(row.organization_id, trx);
  if (subscription !== null && subscription.row.anchor_date !== null)
    return { status: row.status, values: { note: PAID_HERE_NOTE } };
  await grantPlan({ organizationId: row.organization_id, planId, quantity }, trx);
  return { status: "active", values: { product: planId, quantity, note: null, ends_at: null } };
}

/** Pauses or resumes the subscription that the purchase gave, unless the organization has another one by now. */
async function setSubscriptionStatus(row: PurchaseRow, status: "active" | "paused", trx: Database): Promise<void> {
  await trx
    .updateTable("subscriptions")
    .set({ status })
    .where("organization_id", "=", row.organization_id)
    .where("plan_id", "=", row.product)
    .where("anchor_date", "is", null)
    .where("ended_at", "is", null)
    .execute();
}

/** Sets when the plan ends, and mails it to the organization; without a grace the plan ends at once. */
async function scheduleEnd(deps: Deps, row: PurchaseRow, trx: Database): Promise<Outcome> {
  const { billing, mail, clock, graceHours } = deps;
  if (graceHours === 0) {
    await endPlan(deps, row, trx);
    return { status: "canceled", values: { note: null, ends_at: null } };
  }
  if (row.ends_at !== null) return { status: row.status, values: {} };
  const endsAt = new Date(clock.now().getTime() + graceHours * HOUR_MS);
  const contact = await billing.billingRepository.findContact(row.organization_id, trx);
  const marketplace = MARKETPLACE_NAMES[row.provider as MarketplaceProvider];
  const values = { marketplace, end_date: formatDate(endsAt) };
  if (contact) await mail.send({ template: purchaseEndedMail, values, to: contact.email }, trx);
  return { status: row.status, values: { ends_at: endsAt } };
}

/** Ends the plan of a purchase that is over, and the purchase with it. Needs the same locks. */
async function finishPurchase(deps: Deps, row: PurchaseRow, trx: Database): Promise<void> {
  await endPlan(deps, row, trx);
  const updated = await update(row.id, { status: "canceled", ends_at: null }, trx);
  await recordChange(deps, updated, row.status, trx);
}

/** Ends the subscription that the purchase gave, unless the organization has another one by now. */
async function endPlan({ billing }: Deps, row: PurchaseRow, trx: Database): Promise<void> {
  const { subscription } = await billing.billingRepository.lockState(row.organization_id, trx);
  if (!subscription || subscription.row.anchor_date !== null || subscription.plan.id !== row.product) return;
  await billing.cancellation.endAndNotify(subscription, trx);
}

async function update(id: string, values: Updateable<MarketplaceAccounts>, trx: Database): Promise<PurchaseRow> {
  return trx
    .updateTable("marketplace_accounts")
    .set(values)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

async function recordChange({ audit }: Deps, row: PurchaseRow, before: string, trx: Database): Promise<void> {
  const { id, organization_id: organizationId, provider, product, quantity, status } = row;
  const details = { provider, product, quantity, before, status };
  await audit.record({ userId: null, organizationId, action: "marketplace.change", target: id, details }, trx);
}
