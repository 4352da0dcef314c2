import { sql } from "kysely";
import type { Logger } from "pino";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Events } from "../../../platform/core/events.ts";
import { forEachAtOnce } from "../../../platform/core/for-each-at-once.ts";
import { DAY_MS } from "../../../platform/core/time.ts";
import { isTaxAddressMissing } from "../../payment-services/index.ts";
import type { PlanRow } from "../../plans/index.ts";
import { type Taxes, taxAt, type VatIdCheck } from "../../taxes/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";
import type { Dunning } from "../dunning/dunning.ts";
import type { InvoiceRow, InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { Postings } from "../invoices/postings.ts";
import { waiveSmallTotal } from "../invoices/small-amounts.ts";
import { hasPriceChange, NO_PENDING_CHANGE, NO_PRICE_CHANGE } from "../plan-selection.ts";
import { decideRenewal, includedCreditCents, type RenewalDecision } from "../renewal-decision.ts";
import type { Cancellation } from "../subscriptions/cancellation.ts";
import { recordPlanChange } from "../subscriptions/plan-change-events.ts";
import type { MinChargeCents } from "../subscriptions/pricing.ts";
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
  minChargeCents: MinChargeCents;
  isTest: boolean;
  /** While false, canceled subscriptions still end, but no period begins. */
  isSelling: boolean;
  /** How many subscriptions are renewed at a time; 4 if left out. */
  atOnce?: number;
  /** The only organization whose work is done; all if left out. */
  onlyOrganization?: string;
  invalidatePlan(organizationId: string): void;
};

/** Rows of one query, so that the memory does not depend on how many are due. */
const BATCH_SIZE = 500;
/** Each needs a connection of the database, of which calls and people need others. */
const AT_ONCE = 4;
/** Registers of member states are at times closed over a weekend. */
const MAX_VIES_WAIT_MS = 3 * DAY_MS;

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
  { account, rate, subscription }: BillingState,
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
      creditCents: includedCreditCents(selection, rate),
      rate,
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
  const { billingRepository, dunning, cancellation, notices, clock, taxes, isSelling, invalidatePlan } = deps;
  const invoice = await taxes.transact(async (trx) => {
    const billingState = await billingRepository.lockState(organizationId, trx);
    const { subscription } = billingState;
    const pendingId = subscription?.row.pending_plan_id ?? null;
    const pendingPlan = pendingId === null ? undefined : await billingRepository.findPlan(pendingId, trx);
    const { taxOf, check } = await taxes.findTaxation(organizationId, billingState.rate.currency, trx);
    // Without tax at first: a service would be asked for it again and again while a renewal waits.
    const planned = decideRenewal(billingState, pendingPlan, clock.now(), taxAt(0, 1));
    if (!subscription) return null;
    if (planned.kind === "end") {
      await cancellation.endAndNotify(subscription, trx);
      await billingRepository.bumpVersion(organizationId, billingState.account.balance_cents, trx);
      return null;
    }
    const isBehind = planned.kind === "renew" && planned.cycle.period.end <= clock.now();
    await updateHold(deps, subscription, isBehind, trx);
    const waits = isBehind || !isSelling || waitsForVies(check, subscription, clock.now());
    if (planned.kind === "not due" || waits || !(await notices.canCharge(subscription, trx))) return null;
    const renewal = decideRenewal(billingState, pendingPlan, clock.now(), taxOf);
    if (renewal.kind !== "renew") return null;
    const draft = waiveSmallTotal(renewal.draft, deps.minChargeCents(billingState.rate), billingState.rate.currency);
    await taxes.claim(draft, trx);
    return startPeriod(deps, { ...renewal, draft }, billingState, pendingPlan, trx);
  });
  invalidatePlan(organizationId);
  if (invoice) await dunning.attemptPayment(invoice.id);
}

/** Returns whether a renewal waits until VIES has said whether the VAT id is valid, since the tax depends on it. */
function waitsForVies({ state }: VatIdCheck, { row }: CurrentSubscription, now: Date): boolean {
  const isAnswered = state !== "checking" && state !== "unavailable";
  const endMs = row.current_period_end_date?.getTime() ?? 0;
  return !isAnswered && now.getTime() < endMs + MAX_VIES_WAIT_MS;
}

type DueSubscription = { id: string; organization_id: string; end_date: string };

/** Lists the next due subscriptions after one, those first whose period ended first. */
function listDue(deps: Deps, isHeld: boolean, after: DueSubscription | undefined): Promise<DueSubscription[]> {
  const { db, clock, onlyOrganization = null } = deps;
  return (
    db
      .selectFrom("subscriptions")
      // As text, since a `Date` has no microseconds.
      .select(["id", "organization_id", sql<string>`current_period_end_date::text`.as("end_date")])
      .where("ended_at", "is", null)
      .where("anchor_date", "is not", null)
      .where("status", "<>", "past_due")
      .where("held_at", isHeld ? "is not" : "is", null)
      .$if(onlyOrganization !== null, (query) => query.where("organization_id", "=", onlyOrganization))
      .$if(!isHeld, (query) => query.where("current_period_end_date", "<=", clock.now()))
      .$if(after !== undefined, (query) =>
        query.where(sql<boolean>`(current_period_end_date, id) > (${after?.end_date}::timestamptz, ${after?.id})`),
      )
      .orderBy("current_period_end_date")
      .orderBy("id")
      .limit(BATCH_SIZE)
      .execute()
  );
}

/** Renews one subscription. An error is logged, so that it does not stop the others. */
async function renewLogged(deps: Deps, { organization_id }: DueSubscription): Promise<void> {
  try {
    await renewOrganization(deps, organization_id);
  } catch (error) {
    if (isTaxAddressMissing(error)) return deps.notices.askForTaxAddress(organization_id);
    deps.log.error({ err: error, organization_id }, "a subscription could not be renewed");
  }
}

/**
 * Renews all subscriptions that are due. Those that are held are not charged, so however many there are, they come after the
 * others.
 */
async function renewDueSubscriptions(deps: Deps, stopping?: AbortSignal): Promise<void> {
  for (const isHeld of [false, true]) {
    let due: DueSubscription[] = [];
    do {
      due = await listDue(deps, isHeld, due.at(-1));
      await forEachAtOnce(due, deps.atOnce ?? AT_ONCE, (one) => renewLogged(deps, one), stopping);
    } while (due.length === BATCH_SIZE && !stopping?.aborted);
  }
}
