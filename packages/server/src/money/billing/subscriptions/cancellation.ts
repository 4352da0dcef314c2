import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import { type AppError, errors } from "../../../platform/core/errors/index.ts";
import type { Events } from "../../../platform/core/events.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";
import type { Buyer } from "../buyer.ts";
import type { InvoiceRow } from "../invoices/invoices.repository.ts";
import { NO_PENDING_CHANGE } from "../plan-selection.ts";
import { cancelMarketplaceAccounts, refuseWhileMarketplaceCollects } from "./marketplace-accounts.ts";
import { recordPlanChange } from "./plan-change-events.ts";
import { planEndedMail } from "./subscriptions.mails.ts";

type Deps = {
  db: Database;
  billingRepository: BillingRepository;
  audit: Audit;
  events: Events;
  mail: Mail;
  clock: Clock;
  closeAccounts(organizationId: string, trx: Database): Promise<void>;
  returnUnused(organizationId: string, trx: Database): Promise<void>;
  invalidatePlan(organizationId: string): void;
};

type CurrentSubscription = NonNullable<BillingState["subscription"]>;

/** Cancels and resumes subscriptions, and ends them when they are canceled or not paid. */
export function createCancellation(deps: Deps) {
  return {
    ...bind(deps, {
      endAndNotify,
      endSubscription,
      cancelSubscription,
      undoCancellation,
      closeOrganization,
      cancel: cancelSubscriptionOf,
      resume: resumeSubscription,
    }),
    writeOffIfEnded,
  };
}

/** Ends a subscription now. Its open invoices become uncollectible. */
async function endSubscription(deps: Deps, { row, plan }: CurrentSubscription, trx: Database): Promise<void> {
  const { billingRepository, clock } = deps;
  const now = clock.now();
  await billingRepository.updateSubscription(row.id, { status: "canceled", ended_at: now }, trx);
  await trx
    .updateTable("invoices")
    .set({ status: "uncollectible", next_attempt_at: null })
    .where("subscription_id", "=", row.id)
    .where("status", "=", "open")
    .execute();
  if (row.anchor_date === null) await cancelMarketplaceAccounts(row.organization_id, plan.id, trx);
}

/** Ends a subscription now and mails the organization that it is on the free plan. */
async function endAndNotify(deps: Deps, subscription: CurrentSubscription, trx: Database): Promise<void> {
  const { billingRepository, mail } = deps;
  const { row, plan } = subscription;
  await endSubscription(deps, subscription, trx);
  await recordPlanChange(deps, row.organization_id, { before: row, after: null }, trx);
  const contact = await billingRepository.findContact(row.organization_id, trx);
  if (!contact) return;
  await mail.send({ template: planEndedMail, values: { plan: plan.name }, to: contact.email }, trx);
}

/** Cancels at the end of the period, or at once when the subscription was granted or is past due. */
async function cancelSubscription(
  deps: Deps,
  buyer: Buyer,
  { account, subscription }: BillingState,
  trx: Database,
): Promise<void> {
  const { billingRepository, audit } = deps;
  if (!subscription) throw errors.subscription.none();
  const { id, anchor_date, status } = subscription.row;
  await refuseWhileMarketplaceCollects(subscription.row, trx);
  if (anchor_date === null || status === "past_due") await endAndNotify(deps, subscription, trx);
  else await billingRepository.updateSubscription(id, { cancel_at_period_end: true, ...NO_PENDING_CHANGE }, trx);
  await billingRepository.bumpVersion(buyer.organizationId, account.balance_cents, trx);
  await audit.record({ ...buyer, action: "subscription.cancel", target: id }, trx);
}

/** Withdraws a scheduled cancellation or change of plan. Throws `errorIfNone` when neither is scheduled. */
async function undoCancellation(
  deps: Deps,
  buyer: Buyer,
  { account, subscription }: BillingState,
  errorIfNone: AppError,
  trx: Database,
): Promise<void> {
  const { billingRepository, audit } = deps;
  if (!subscription) throw errors.subscription.none();
  const { id, cancel_at_period_end, pending_plan_id } = subscription.row;
  if (!cancel_at_period_end && pending_plan_id === null) throw errorIfNone;
  await billingRepository.updateSubscription(id, { cancel_at_period_end: false, ...NO_PENDING_CHANGE }, trx);
  await billingRepository.bumpVersion(buyer.organizationId, account.balance_cents, trx);
  await audit.record({ ...buyer, action: "subscription.resume", target: id }, trx);
}

/** Marks an open invoice as uncollectible if its subscription has ended. Returns whether it did. */
async function writeOffIfEnded({ id, subscription_id }: InvoiceRow, trx: Database): Promise<boolean> {
  const subscription = await trx
    .selectFrom("subscriptions")
    .select("id")
    .where("id", "=", subscription_id)
    .where("ended_at", "is", null)
    .executeTakeFirst();
  if (subscription) return false;
  await trx
    .updateTable("invoices")
    .set({ status: "uncollectible", next_attempt_at: null })
    .where("id", "=", id)
    .execute();
  return true;
}

async function withBillingState(
  deps: Deps,
  buyer: Buyer,
  change: (billingState: BillingState, trx: Database) => Promise<void>,
): Promise<void> {
  const { db, billingRepository, invalidatePlan } = deps;
  await db
    .transaction()
    .execute(async (trx) => change(await billingRepository.lockState(buyer.organizationId, trx), trx));
  invalidatePlan(buyer.organizationId);
}

/** Ends the subscription and open invoices of an organization and forfeits its balances, before it is deleted. */
async function closeOrganization(
  { billingRepository, clock, closeAccounts, returnUnused }: Deps,
  organizationId: string,
  trx: Database,
): Promise<void> {
  await billingRepository.lockAccount(organizationId, trx);
  const now = clock.now();
  await trx
    .updateTable("subscriptions")
    .set({ status: "canceled", ended_at: now })
    .where("organization_id", "=", organizationId)
    .where("ended_at", "is", null)
    .execute();
  await trx
    .updateTable("invoices")
    .set({ status: "uncollectible", next_attempt_at: null })
    .where("organization_id", "=", organizationId)
    .where("status", "=", "open")
    .execute();
  await returnUnused(organizationId, trx);
  await closeAccounts(organizationId, trx);
}

function cancelSubscriptionOf(deps: Deps, buyer: Buyer) {
  return withBillingState(deps, buyer, (billingState, trx) => cancelSubscription(deps, buyer, billingState, trx));
}

function resumeSubscription(deps: Deps, buyer: Buyer) {
  return withBillingState(deps, buyer, (billingState, trx) =>
    undoCancellation(deps, buyer, billingState, errors.subscription.notCanceled(), trx),
  );
}

export type Cancellation = ReturnType<typeof createCancellation>;
