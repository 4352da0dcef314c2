import type { Logger } from "pino";
import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { BillingRepository, Standing } from "./billing.repository.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import type { Collection } from "./collection.ts";
import type { Endings } from "./endings.ts";
import type { InvoiceRow, InvoicesRepository } from "./invoices.repository.ts";
import { creditsOf, type Renewal, renewalOf } from "./renewal.ts";

type Deps = {
  db: Database;
  billing: BillingRepository;
  invoices: InvoicesRepository;
  bookkeeping: Bookkeeping;
  collection: Collection;
  endings: Endings;
  clock: Clock;
  log: Pick<Logger, "error">;
  taxPercent: number;
  isTest: boolean;
  /** While nothing is sold, subscriptions that were canceled end, and no period begins. */
  isSelling: boolean;
  forgetPlan(organizationId: string): void;
};
type Due = Extract<Renewal, { kind: "renew" }>;

/** Begins the periods that are due, one after the other, also those that were missed. */
export function createRenewals(deps: Deps) {
  const {
    db,
    billing,
    invoices,
    bookkeeping,
    collection,
    endings,
    clock,
    log,
    taxPercent,
    isTest,
    isSelling,
    forgetPlan,
  } = deps;

  async function begin(due: Due, { account, live }: Standing, trx: Database): Promise<InvoiceRow | null> {
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
        pending_plan_id: null,
        pending_quantity: null,
        ...(couponSpent && { coupon_code: null, coupon_end_date: null }),
      },
      trx,
    );
    await billing.touch(row.organization_id, account.balance_cents + bill.carriedCents, trx);
    if (invoice && isFree) await bookkeeping.paid(invoice, trx);
    return isFree ? null : invoice;
  }

  /** One period. Answers whether there may be another. */
  async function step(organizationId: string): Promise<boolean> {
    const { goOn, invoice } = await db.transaction().execute(async (trx) => {
      const standing = await billing.lock(organizationId, trx);
      const pendingId = standing.live?.row.pending_plan_id ?? null;
      const pending = pendingId === null ? undefined : await billing.plan(pendingId, trx);
      const renewal = renewalOf(standing, pending, clock.now(), taxPercent);
      if (renewal.kind === "not due" || (renewal.kind === "renew" && !isSelling)) return { goOn: false, invoice: null };
      if (renewal.kind === "end") {
        if (standing.live) await endings.end(standing.live, trx);
        await billing.touch(organizationId, standing.account.balance_cents, trx);
        return { goOn: false, invoice: null };
      }
      return { goOn: true, invoice: await begin(renewal, standing, trx) };
    });
    forgetPlan(organizationId);
    if (invoice) await collection.attempt(invoice.id);
    return goOn;
  }

  return {
    /** What one organization's failure is must not keep the others waiting. */
    async run(): Promise<void> {
      const due = await db
        .selectFrom("subscriptions")
        .select("organization_id")
        .where("ended_at", "is", null)
        .where("anchor_date", "is not", null)
        .where("status", "<>", "past_due")
        .where("current_period_end_date", "<=", clock.now())
        .orderBy("current_period_end_date")
        .limit(500)
        .execute();
      for (const { organization_id } of due) {
        try {
          while (await step(organization_id));
        } catch (error) {
          log.error({ err: error, organization_id }, "a subscription could not be renewed");
        }
      }
    },
  };
}
