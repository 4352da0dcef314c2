import type { Audit } from "../../../platform/core/audit.ts";
import { bind } from "../../../platform/core/bind.ts";
import type { Clock } from "../../../platform/core/clock.ts";
import type { Database } from "../../../platform/core/db/connect.ts";
import type { Events } from "../../../platform/core/events.ts";
import type { Ids } from "../../../platform/core/ids.ts";
import type { CurrencyRate } from "../../currencies/index.ts";
import type { BillingRepository } from "../billing.repository.ts";
import type { BillingState } from "../billing-rows.ts";
import type { Coupons } from "../coupons/coupons.usecases.ts";
import type { InvoicesRepository } from "../invoices/invoices.repository.ts";
import type { Postings } from "../invoices/postings.ts";
import type { PaymentHandlers, PaymentRow } from "../payments/payments.usecases.ts";
import { NO_PENDING_CHANGE, NO_PRICE_CHANGE } from "../plan-selection.ts";
import { includedCreditCents } from "../renewal-decision.ts";
import { type Purchase, purchaseSchema } from "../stored.schemas.ts";
import { cancelMarketplaceAccounts } from "./marketplace-accounts.ts";
import { recordPlanChange } from "./plan-change-events.ts";

/** The change of plan that a payment of purpose `change` is for, as priced when the payment was created. */
export function purchaseOf({ purchase }: Pick<PaymentRow, "purchase">): Purchase {
  return purchaseSchema.parse(purchase);
}

type Deps = {
  billingRepository: BillingRepository;
  invoicesRepository: InvoicesRepository;
  postings: Postings;
  coupons: Coupons;
  audit: Audit;
  events: Events;
  clock: Clock;
  ids: Ids;
  isTest: boolean;
};

/** Fulfills changes of plan that are paid or cost nothing. */
export function createPurchases(deps: Deps) {
  return {
    ...bind(deps, {
      fulfill,
    }),
    paymentHandlers: createPaymentHandlers(deps),
  };
}

export type Purchases = ReturnType<typeof createPurchases>;

async function saveSubscription(
  deps: Deps,
  purchase: Purchase,
  organizationId: string,
  subscription: BillingState["subscription"],
  trx: Database,
) {
  const { billingRepository, clock, ids } = deps;
  const { selection, draft, coupon, at } = purchase;
  const remainingCoupon = coupon && !coupon.spent ? coupon : null;
  const values = {
    plan_id: selection.planId,
    quantity: selection.quantity,
    status: purchase.trialEnd === null ? "active" : "trialing",
    current_period_start_date: new Date(purchase.periodStart),
    current_period_end_date: new Date(purchase.periodEnd),
    anchor_date: new Date(purchase.anchor),
    period_index: purchase.periodIndex,
    billing_interval: selection.interval,
    value_cents: selection.metered ? 0 : draft.valueCents,
    value_from_date: new Date(at),
    trial_end_date:
      purchase.trialEnd === null ? (subscription?.row.trial_end_date ?? null) : new Date(purchase.trialEnd),
    coupon_code: remainingCoupon?.code ?? null,
    coupon_end_date: remainingCoupon?.endsAt ? new Date(remainingCoupon.endsAt) : null,
    price_cents: selection.priceCents,
    plan_version: purchase.planVersion ?? 1,
    ...NO_PENDING_CHANGE,
    ...NO_PRICE_CHANGE,
    cancel_at_period_end: false,
  };
  if (subscription && subscription.row.anchor_date !== null) {
    await billingRepository.updateSubscription(subscription.row.id, values, trx);
    return subscription.row.id;
  }
  if (subscription) {
    await billingRepository.updateSubscription(subscription.row.id, { status: "canceled", ended_at: clock.now() }, trx);
    await cancelMarketplaceAccounts(organizationId, subscription.plan.id, trx);
  }
  const id = ids.next("sub");
  await trx
    .insertInto("subscriptions")
    .values({ ...values, id, organization_id: organizationId, created_at: clock.now() })
    .execute();
  return id;
}

/** Updates the subscription and creates the invoice, if any, at the rate of the payment. Needs a transaction that has locked the account. */
async function fulfill(
  deps: Deps,
  purchase: Purchase,
  organizationId: string,
  { account, subscription }: BillingState,
  rate: CurrencyRate,
  trx: Database,
): Promise<{ subscriptionId: string; invoiceId: string | null }> {
  const { invoicesRepository, postings, audit, isTest } = deps;
  const { selection, draft, coupon } = purchase;
  const subscriptionId = await saveSubscription(deps, purchase, organizationId, subscription, trx);
  const after = { plan_id: selection.planId, quantity: selection.quantity };
  await recordPlanChange(deps, organizationId, { before: subscription?.row ?? null, after }, trx);
  const invoice = draft.lines.some(({ amount_cents }) => amount_cents !== 0)
    ? await invoicesRepository.create(
        {
          organizationId,
          kind: "change",
          draft,
          status: "paid",
          subscriptionId,
          planId: selection.planId,
          quantity: selection.quantity,
          period: { start: new Date(purchase.at), end: new Date(purchase.periodEnd) },
          couponCode: draft.discountCents > 0 ? (coupon?.code ?? null) : null,
          creditCents: includedCreditCents(selection, rate),
          rate,
          isTest,
        },
        trx,
      )
    : null;
  await postings.applyBalanceChange(account, invoice, draft.carriedCents, trx);
  if (invoice) await postings.recordPaidInvoice(invoice, trx);
  await audit.record(
    {
      userId: purchase.userId,
      organizationId,
      ...purchase.origin,
      action: "subscription.change",
      target: subscriptionId,
      details: {
        plan_id: selection.planId,
        quantity: selection.quantity,
        total_cents: draft.totalCents,
        currency: rate.currency,
      },
    },
    trx,
  );
  return { subscriptionId, invoiceId: invoice?.id ?? null };
}

async function releaseCoupon(deps: Deps, { coupon }: Purchase, organizationId: string, trx: Database): Promise<void> {
  const { coupons } = deps;
  if (coupon?.isNew) await coupons.releaseRedemption(coupon.code, organizationId, trx);
}

/** Returns whether the coupon is still redeemed: a failed payment released it, and may succeed after all. */
async function isCouponRedeemed(
  deps: Deps,
  { organization_id }: PaymentRow,
  { coupon }: Purchase,
  trx: Database,
): Promise<boolean> {
  const { coupons } = deps;
  return !coupon?.isNew || coupons.isRedeemed(organization_id, coupon.code, trx);
}

function createPaymentHandlers(deps: Deps): PaymentHandlers {
  const { billingRepository } = deps;
  return {
    async succeeded(payment, trx, statusBefore) {
      const purchase = purchaseOf(payment);
      const organizationExists = await billingRepository.keepExisting(payment.organization_id, trx);
      const billingState = organizationExists ? await billingRepository.lockState(payment.organization_id, trx) : null;
      const canFulfill =
        billingState !== null &&
        isUnchangedSince(purchase, billingState) &&
        (await isCouponRedeemed(deps, payment, purchase, trx));
      if (!canFulfill) {
        // A failed payment has released its coupon, which another purchase may have redeemed since.
        if (statusBefore !== "failed") await releaseCoupon(deps, purchase, payment.organization_id, trx);
        await trx
          .updateTable("payments")
          .set({ outcome: "given_back", refund_target_cents: payment.amount_cents })
          .where("id", "=", payment.id)
          .execute();
        return;
      }
      const { invoiceId } = await fulfill(deps, purchase, payment.organization_id, billingState, payment, trx);
      await trx.updateTable("payments").set({ invoice_id: invoiceId }).where("id", "=", payment.id).execute();
    },
    async failed(payment: PaymentRow, trx) {
      await releaseCoupon(deps, purchaseOf(payment), payment.organization_id, trx);
    },
    async requiresAction() {},
  };
}

/** Returns whether account and subscription have not changed since the purchase was priced. */
function isUnchangedSince({ subscriptionId, version }: Purchase, { account, subscription }: BillingState): boolean {
  return account.version === version && (subscription?.row.id ?? null) === subscriptionId;
}
