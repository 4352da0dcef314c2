import type { Database } from "../../db/connect.ts";
import type { Clock } from "../../shared/clock.ts";
import type { Ids } from "../../shared/ids.ts";
import type { Audit, Origin } from "../audit/audit.ts";
import type { BillingRepository, Standing } from "./billing.repository.ts";
import type { Bookkeeping } from "./bookkeeping.ts";
import type { Coupons } from "./coupons.ts";
import type { InvoicesRepository } from "./invoices.repository.ts";
import type { Effects, PaymentRow } from "./payment-desk.ts";
import { type Bill, listCents, type Wanted } from "./quote.ts";
import { NO_PRICE_CHANGE, NOTHING_PENDING } from "./terms.ts";

/**
 * A priced change of plan, stored as JSON with its payment until that succeeds. Dates are ISO strings. Keep the names.
 */
export type Purchase = {
  userId: string;
  /** Missing in purchases that were stored before it was recorded. */
  origin?: Origin;
  /** The subscription and account version that the price is based on; if they changed, the payment is refunded. */
  subscriptionId: string | null;
  version: number;
  wanted: Wanted;
  /** Missing in purchases from before plans had versions. */
  planVersion?: number;
  bill: Bill;
  at: string;
  anchor: string;
  periodIndex: number;
  periodStart: string;
  periodEnd: string;
  trialEnd: string | null;
  coupon: { code: string; endsAt: string | null; isNew: boolean; spent: boolean } | null;
};

/** The change of plan that a payment of purpose `change` is for, as priced when the payment was created. */
export function purchaseOf({ purchase }: Pick<PaymentRow, "purchase">): Purchase {
  return purchase as unknown as Purchase;
}

type Deps = {
  billing: BillingRepository;
  invoices: InvoicesRepository;
  bookkeeping: Bookkeeping;
  coupons: Coupons;
  audit: Audit;
  clock: Clock;
  ids: Ids;
  isTest: boolean;
};

/** Fulfills changes of plan that are paid or cost nothing. */
export function createPurchases({ billing, invoices, bookkeeping, coupons, audit, clock, ids, isTest }: Deps) {
  async function writeSubscription(purchase: Purchase, organizationId: string, live: Standing["live"], trx: Database) {
    const { wanted, bill, coupon, at } = purchase;
    const kept = coupon && !coupon.spent ? coupon : null;
    const values = {
      plan_id: wanted.planId,
      quantity: wanted.quantity,
      status: purchase.trialEnd === null ? "active" : "trialing",
      current_period_start_date: new Date(purchase.periodStart),
      current_period_end_date: new Date(purchase.periodEnd),
      anchor_date: new Date(purchase.anchor),
      period_index: purchase.periodIndex,
      billing_interval: wanted.interval,
      value_cents: wanted.metered ? 0 : bill.valueCents,
      value_from_date: new Date(at),
      trial_end_date: purchase.trialEnd === null ? (live?.row.trial_end_date ?? null) : new Date(purchase.trialEnd),
      coupon_code: kept?.code ?? null,
      coupon_end_date: kept?.endsAt ? new Date(kept.endsAt) : null,
      price_cents: wanted.priceCents,
      plan_version: purchase.planVersion ?? 1,
      ...NOTHING_PENDING,
      ...NO_PRICE_CHANGE,
      cancel_at_period_end: false,
    };
    if (live && live.row.anchor_date !== null) {
      await billing.updateSubscription(live.row.id, values, trx);
      return live.row.id;
    }
    if (live) await billing.updateSubscription(live.row.id, { status: "canceled", ended_at: clock.now() }, trx);
    const id = ids.next("sub");
    await trx
      .insertInto("subscriptions")
      .values({ ...values, id, organization_id: organizationId, created_at: clock.now() })
      .execute();
    return id;
  }

  /** Updates the subscription and creates the invoice, if any. Needs a transaction that has locked the account. */
  async function carryOut(
    purchase: Purchase,
    organizationId: string,
    { account, live }: Standing,
    trx: Database,
  ): Promise<{ subscriptionId: string; invoiceId: string | null }> {
    const { wanted, bill, coupon } = purchase;
    const subscriptionId = await writeSubscription(purchase, organizationId, live, trx);
    const invoice = bill.lines.some(({ amount_cents }) => amount_cents !== 0)
      ? await invoices.create(
          {
            organizationId,
            kind: "change",
            bill: purchase.bill,
            status: "paid",
            subscriptionId,
            planId: wanted.planId,
            quantity: wanted.quantity,
            period: { start: new Date(purchase.at), end: new Date(purchase.periodEnd) },
            couponCode: bill.discountCents > 0 ? (coupon?.code ?? null) : null,
            creditCents: wanted.metered ? listCents(wanted) : 0,
            isTest,
          },
          trx,
        )
      : null;
    await bookkeeping.carry(account, invoice, bill.carriedCents, trx);
    if (invoice) await bookkeeping.paid(invoice, trx);
    await audit.record(
      {
        userId: purchase.userId,
        organizationId,
        ...purchase.origin,
        action: "subscription.change",
        target: subscriptionId,
        details: { plan_id: wanted.planId, quantity: wanted.quantity, total_cents: bill.totalCents },
      },
      trx,
    );
    return { subscriptionId, invoiceId: invoice?.id ?? null };
  }

  async function giveCouponFree({ coupon }: Purchase, organizationId: string, trx: Database): Promise<void> {
    if (coupon?.isNew) await coupons.release(coupon.code, organizationId, trx);
  }

  /** Whether the coupon is still redeemed: a failed payment released it, and may succeed after all. */
  async function hasCoupon({ organization_id }: PaymentRow, { coupon }: Purchase, trx: Database): Promise<boolean> {
    return !coupon?.isNew || coupons.isRedeemed(organization_id, coupon.code, trx);
  }

  const effects: Effects = {
    async succeeded(payment, trx) {
      const purchase = purchaseOf(payment);
      const isThere = await billing.exists(payment.organization_id, trx);
      const standing = isThere ? await billing.lock(payment.organization_id, trx) : null;
      const holds = standing !== null && stillHolds(purchase, standing) && (await hasCoupon(payment, purchase, trx));
      if (!holds) {
        await giveCouponFree(purchase, payment.organization_id, trx);
        await trx
          .updateTable("payments")
          .set({ outcome: "given_back", refund_target_cents: payment.amount_cents })
          .where("id", "=", payment.id)
          .execute();
        return;
      }
      const { invoiceId } = await carryOut(purchase, payment.organization_id, standing, trx);
      await trx.updateTable("payments").set({ invoice_id: invoiceId }).where("id", "=", payment.id).execute();
    },
    async failed(payment: PaymentRow, trx) {
      await giveCouponFree(purchaseOf(payment), payment.organization_id, trx);
    },
    async waiting() {},
  };

  return { carryOut, effects };
}

export type Purchases = ReturnType<typeof createPurchases>;

/** Whether account and subscription are as they were when the purchase was priced. */
function stillHolds({ subscriptionId, version }: Purchase, { account, live }: Standing): boolean {
  return account.version === version && (live?.row.id ?? null) === subscriptionId;
}
