import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { PlanRow } from "../plans/plans.repository.ts";
import type { BillingRepository, Standing } from "./billing.repository.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import type { Collection } from "./collection.ts";
import type { Endings } from "./endings.ts";
import type { InvoiceRow, InvoicesRepository } from "./invoices.repository.ts";
import type { Notices } from "./notices.ts";
import { creditsOf, type Renewal, renewalOf } from "./renewal.ts";
import { hasPriceChange, NO_PRICE_CHANGE, NOTHING_PENDING } from "./terms.ts";

type Deps = {
  db: Database;
  billing: BillingRepository;
  invoices: InvoicesRepository;
  bookkeeping: Bookkeeping;
  collection: Collection;
  endings: Endings;
  notices: Notices;
  clock: Clock;
  log: Pick<Logger, "error" | "warn">;
  taxPercent: number;
  isTest: boolean;
  /** While false, canceled subscriptions still end, but no period begins. */
  isSelling: boolean;
  forgetPlan(organizationId: string): void;
};
type Live = NonNullable<Standing["live"]>;
type Due = Extract<Renewal, { kind: "renew" }>;

/**
 * The job that begins periods that are due, at most one per subscription and run. A subscription that is more than one
 * period behind is held until an admin resumes it: the server was down for long, or its clock is wrong.
 */
export function createRenewals(deps: Deps) {
  const {
    db,
    billing,
    invoices,
    bookkeeping,
    collection,
    endings,
    notices,
    clock,
    log,
    taxPercent,
    isTest,
    isSelling,
    forgetPlan,
  } = deps;

  async function begin(
    due: Due,
    { account, live }: Standing,
    pending: PlanRow | undefined,
    trx: Database,
  ): Promise<InvoiceRow | null> {
    if (!live) return null;
    const { row } = live;
    const { wanted, terms, bill, couponSpent } = due;
    const isFree = bill.totalCents === 0;
    const invoice = await invoices.create(
      {
        organizationId: row.organization_id,
        kind: "period",
        bill,
        status: isFree ? "paid" : "open",
        subscriptionId: row.id,
        planId: wanted.planId,
        quantity: wanted.quantity,
        period: terms.period,
        couponCode: bill.discountCents > 0 ? row.coupon_code : null,
        creditCents: creditsOf(wanted),
        isTest,
      },
      trx,
    );
    await billing.updateSubscription(
      row.id,
      {
        plan_id: wanted.planId,
        quantity: wanted.quantity,
        status: "active",
        anchor_date: terms.anchor,
        period_index: terms.periodIndex,
        billing_interval: wanted.interval,
        current_period_start_date: terms.period.start,
        current_period_end_date: terms.period.end,
        value_cents: wanted.metered ? 0 : bill.valueCents,
        value_from_date: terms.period.start,
        price_cents: wanted.priceCents,
        ...(hasPriceChange(row, terms.period.start) && { ...NO_PRICE_CHANGE, plan_version: live.plan.version }),
        ...(pending && { ...NO_PRICE_CHANGE, plan_version: pending.version }),
        ...NOTHING_PENDING,
        ...(couponSpent && { coupon_code: null, coupon_end_date: null }),
      },
      trx,
    );
    await bookkeeping.carry(account, invoice, bill.carriedCents, trx);
    if (invoice && isFree) await bookkeeping.paid(invoice, trx);
    return isFree ? null : invoice;
  }

  async function hold({ row }: Live, isBehind: boolean, trx: Database): Promise<void> {
    if (isBehind === (row.held_at !== null)) return;
    await billing.updateSubscription(row.id, { held_at: isBehind ? clock.now() : null }, trx);
    if (isBehind)
      log.warn(
        { subscription_id: row.id, organization_id: row.organization_id, period_end: row.current_period_end_date },
        "a subscription is more than one period behind: it is not charged until an admin lets it go on",
      );
  }

  async function step(organizationId: string): Promise<void> {
    const invoice = await db.transaction().execute(async (trx) => {
      const standing = await billing.lock(organizationId, trx);
      const { live } = standing;
      const pendingId = live?.row.pending_plan_id ?? null;
      const pending = pendingId === null ? undefined : await billing.findPlan(pendingId, trx);
      const renewal = renewalOf(standing, pending, clock.now(), taxPercent);
      if (!live) return null;
      if (renewal.kind === "end") {
        await endings.end(live, trx);
        await billing.touch(organizationId, standing.account.balance_cents, trx);
        return null;
      }
      const isBehind = renewal.kind === "renew" && renewal.terms.period.end <= clock.now();
      await hold(live, isBehind, trx);
      if (renewal.kind === "not due" || isBehind || !isSelling || !(await notices.mayCharge(live, trx))) return null;
      return begin(renewal, standing, pending, trx);
    });
    forgetPlan(organizationId);
    if (invoice) await collection.attempt(invoice.id);
  }

  return {
    /** Renews up to 500 subscriptions. An error of one organization is logged and does not stop the others. */
    async run(): Promise<void> {
      const due = await db
        .selectFrom("subscriptions")
        .select("organization_id")
        .where("ended_at", "is", null)
        .where("anchor_date", "is not", null)
        .where("status", "<>", "past_due")
        .where((eb) => eb.or([eb("current_period_end_date", "<=", clock.now()), eb("held_at", "is not", null)]))
        .orderBy("current_period_end_date")
        .limit(500)
        .execute();
      for (const { organization_id } of due) {
        try {
          await step(organization_id);
        } catch (error) {
          log.error({ err: error, organization_id }, "a subscription could not be renewed");
        }
      }
    },
  };
}
