import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Events } from "../../../platform/core/events.ts";
import type { PlanRow } from "../../plans/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";
import type { Dunning } from "../dunning/dunning.ts";
import type { InvoiceRow, InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { Postings } from "../invoices/postings.ts";
import { hasPriceChange, NO_PENDING_CHANGE, NO_PRICE_CHANGE } from "../plan-selection.ts";
import { decideRenewal, includedCreditCents, type RenewalDecision } from "../renewal-decision.ts";
import type { Cancellation } from "../subscriptions/cancellation.ts";
import { recordPlanChange } from "../subscriptions/plan-change-events.ts";
import type { Taxes } from "../tax/tax-treatment.ts";
import type { Notices } from "./notices.jobs.ts";

type Deps = {
  events: Events;
  db: Database;
  billingRepository: BillingRepository;
  invoicesRepository: InvoicesRepository;
  postings: Postings;
  dunning: Dunning;
  cancellation: Cancellation;
  notices: Notices;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
  taxes: Taxes;
  isTest: boolean;
  /** While false, canceled subscriptions still end, but no period begins. */
  isSelling: boolean;
  invalidatePlan(organizationId: string): void;
};
type CurrentSubscription = NonNullable<BillingState["subscription"]>;
type DueRenewal = Extract<RenewalDecision, { kind: "renew" }>;

/**
 * Creates the job that begins the periods that are due, at most one per subscription and run. A subscription that is more
 * than one period behind is held until an admin resumes it, because the server was down for a long time or its clock is
 * wrong.
 */
export function createRenewals(deps: Deps) {
  return bind(deps, {
    run: renewDueSubscriptions,
  });
}

async function startPeriod(
  deps: Deps,
  due: DueRenewal,
  { account, subscription }: BillingState,
  pendingPlan: PlanRow | undefined,
  trx: Database,
): Promise<InvoiceRow | null> {
  const { billingRepository, invoicesRepository, postings, isTest } = deps;
  if (!subscription) return null;
  const { row } = subscription;
  const { selection, cycle, draft, couponSpent } = due;
  const isFree = draft.totalCents === 0;
  const invoice = await invoicesRepository.create(
    {
      organizationId: row.organization_id,
      kind: "period",
      draft,
      status: isFree ? "paid" : "open",
      subscriptionId: row.id,
      planId: selection.planId,
      quantity: selection.quantity,
      period: cycle.period,
      couponCode: draft.discountCents > 0 ? row.coupon_code : null,
      creditCents: includedCreditCents(selection),
      isTest,
    },
    trx,
  );
  await billingRepository.updateSubscription(
    row.id,
    {
      plan_id: selection.planId,
      quantity: selection.quantity,
      status: "active",
      anchor_date: cycle.anchor,
      period_index: cycle.periodIndex,
      billing_interval: selection.interval,
      current_period_start_date: cycle.period.start,
      current_period_end_date: cycle.period.end,
      value_cents: selection.metered ? 0 : draft.valueCents,
      value_from_date: cycle.period.start,
      price_cents: selection.priceCents,
      ...(hasPriceChange(row, cycle.period.start) && { ...NO_PRICE_CHANGE, plan_version: subscription.plan.version }),
      ...(pendingPlan && { ...NO_PRICE_CHANGE, plan_version: pendingPlan.version }),
      ...NO_PENDING_CHANGE,
      ...(couponSpent && { coupon_code: null, coupon_end_date: null }),
    },
    trx,
  );
  const after = { plan_id: selection.planId, quantity: selection.quantity };
  await recordPlanChange(deps, row.organization_id, { before: row, after }, trx);
  await postings.applyBalanceChange(account, invoice, draft.carriedCents, trx);
  if (invoice && isFree) await postings.recordPaidInvoice(invoice, trx);
  return isFree ? null : invoice;
}

async function updateHold(deps: Deps, { row }: CurrentSubscription, isBehind: boolean, trx: Database): Promise<void> {
  const { billingRepository, clock, log } = deps;
  if (isBehind === (row.held_at !== null)) return;
  await billingRepository.updateSubscription(row.id, { held_at: isBehind ? clock.now() : null }, trx);
  if (isBehind)
    log.warn(
      { subscription_id: row.id, organization_id: row.organization_id, period_end: row.current_period_end_date },
      "a subscription is more than one period behind: it is not charged until an admin lets it go on",
    );
}

async function renewOrganization(deps: Deps, organizationId: string): Promise<void> {
  const { db, billingRepository, dunning, cancellation, notices, clock, taxes, isSelling, invalidatePlan } = deps;
  const invoice = await db.transaction().execute(async (trx) => {
    const billingState = await billingRepository.lockState(organizationId, trx);
    const { subscription } = billingState;
    const pendingId = subscription?.row.pending_plan_id ?? null;
    const pendingPlan = pendingId === null ? undefined : await billingRepository.findPlan(pendingId, trx);
    const { percent } = await taxes.findTreatment(organizationId, trx);
    const renewal = decideRenewal(billingState, pendingPlan, clock.now(), percent);
    if (!subscription) return null;
    if (renewal.kind === "end") {
      await cancellation.endAndNotify(subscription, trx);
      await billingRepository.bumpVersion(organizationId, billingState.account.balance_cents, trx);
      return null;
    }
    const isBehind = renewal.kind === "renew" && renewal.cycle.period.end <= clock.now();
    await updateHold(deps, subscription, isBehind, trx);
    if (renewal.kind === "not due" || isBehind || !isSelling || !(await notices.canCharge(subscription, trx)))
      return null;
    return startPeriod(deps, renewal, billingState, pendingPlan, trx);
  });
  invalidatePlan(organizationId);
  if (invoice) await dunning.attemptPayment(invoice.id);
}

/** Renews up to 500 subscriptions. An error of one organization is logged and does not stop the others. */
async function renewDueSubscriptions(deps: Deps): Promise<void> {
  const { db, clock, log } = deps;
  const due = await db
    .selectFrom("subscriptions")
    .select("organization_id")
    .where("ended_at", "is", null)
    .where("anchor_date", "is not", null)
    .where("status", "<>", "past_due")
    .where((eb) => eb.or([eb("current_period_end_date", "<=", clock.now()), eb("held_at", "is not", null)]))
    // Held ones are not charged, so however many there are, they must not keep others back.
    .orderBy("held_at", (order) => order.asc().nullsFirst())
    .orderBy("current_period_end_date")
    .limit(500)
    .execute();
  for (const { organization_id } of due) {
    try {
      await renewOrganization(deps, organization_id);
    } catch (error) {
      log.error({ err: error, organization_id }, "a subscription could not be renewed");
    }
  }
}
