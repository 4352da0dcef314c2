import type {
  BillingDetails,
  Coupon,
  CreditBalance,
  CreditBalanceWithTransactions,
  Invoice,
  PaymentMethod,
  Subscription,
  Transaction,
} from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import { buildPage, buildPlan, buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { maria } from "./page.tsx";

/** A paid plan of 4 units. */
export const premium = buildPlan();
/** The free plan. */
export const lite = {
  ...premium,
  id: "feather_lite",
  name: "Lite",
  price_usd_cents: 0,
  concurrency: 1,
  max_model_size: 8_500_000_000,
  daily_request_limit: 200,
  features: ["1 unit", "Models up to 8B"],
};
/** A plan sold by the unit. */
export const scale = {
  ...premium,
  id: "feather_scale",
  name: "Scale",
  price_usd_cents: 10_000,
  unit_based: true,
  max_quantity: 50,
  concurrency: 8,
  features: ["8 units each"],
};
/** A plan with a price on request. */
export const business = { ...premium, id: "feather_enterprise", name: "Business", price_usd_cents: null };

/** A subscription to the paid plan. */
export const premiumSubscription: Sent<Subscription> = {
  id: "sub_1",
  status: "active",
  plan: premium,
  quantity: 1,
  currency: "USD",
  current_period_start_date: "2026-11-01T00:00:00Z",
  current_period_end_date: "2026-12-01T00:00:00Z",
  cancel_at_period_end: false,
  coupon: null,
  pending_change: null,
  trial_end_date: null,
};
/** A subscription to the free plan. */
export const liteSubscription = { ...premiumSubscription, id: null, plan: lite, current_period_end_date: null };

/** A coupon of 20 % for three months. */
export const springCoupon: Sent<Coupon> = {
  code: "SPRING26",
  percent_off: 20,
  amount_off_cents: null,
  duration: "repeating",
  months: 3,
  applies_to: [],
  redeem_by_date: null,
  max_redemptions: null,
  valid: true,
  reason: null,
};
/** A test card. */
export const visa: Sent<PaymentMethod> = {
  id: "pm_1",
  brand: "visa",
  last4: "4242",
  exp_month: 12,
  exp_year: 2030,
  is_default: true,
  is_test: true,
};
/** A paid invoice. */
export const invoice: Sent<Invoice> = {
  id: "inv_1",
  number: "F-2026-0041",
  status: "paid",
  currency: "USD",
  units_per_usd: "1",
  lines: [{ description: "Premium, 1 Nov 2026 to 1 Dec 2026", amount_cents: 2500 }],
  subtotal_cents: 2500,
  discount_cents: 0,
  tax_percent: 0,
  tax_cents: 0,
  tax_lines: [],
  reverse_charge: false,
  vat_id_check: null,
  e_invoice: null,
  total_cents: 2500,
  refunded_cents: 0,
  period_start_date: "2026-11-01T00:00:00Z",
  period_end_date: "2026-12-01T00:00:00Z",
  is_test: true,
  created_at: "2026-11-01T00:00:00Z",
  paid_at: "2026-11-01T00:00:01Z",
};
/** Billing details of which none is set. */
export const noBillingDetails: Sent<BillingDetails> = {
  name: null,
  address: null,
  postal_code: null,
  city: null,
  country: null,
  vat_id: null,
  buyer_reference: null,
  vat_id_check: { state: "unchecked", answered_at: null, consultation_number: null },
  email: null,
  currency: "USD",
};
/** A purchase of credits. */
export const transaction: Sent<Transaction> = {
  id: "txn_1",
  kind: "top_up",
  amount_nano_usd: "5000000000",
  description: "Top-up",
  request_id: null,
  created_at: "2026-11-01T00:00:00Z",
};
/** Returns a balance of credits, of which this much is available, in nano-dollars. */
export function buildBalance(available: string): Sent<CreditBalance> {
  const usd = String(Number(available) / 1e9);
  return {
    balance_nano_usd: available,
    reserved_nano_usd: "0",
    available_nano_usd: available,
    balance_usd: usd,
    reserved_usd: "0",
    available_usd: usd,
    currency: "USD",
  };
}
/** Returns the response of `GET /usage/credits` for a balance in nano-dollars. */
export const creditsBody = (
  available: string,
  items: readonly Sent<Transaction>[] = [],
): Sent<CreditBalanceWithTransactions> => ({
  balance_nano_usd: available,
  reserved_nano_usd: "0",
  available_nano_usd: available,
  currency: "USD",
  transactions: buildPage(items),
});

/** A member with the role viewer, who has no access to billing. */
export const viewer = buildUser({ role: "viewer" });

/** Handlers for an admin of an organization that pays with a test card. */
export const billingHandlers = (subscription: Sent<Subscription> = premiumSubscription): StubHandlers => [
  http.auth.me(maria),
  http.subscription.get(subscription),
  http.subscription.plans({ items: [lite, premium, scale, business] }),
  http.subscription.retentionCoupon.get({ coupon: null }),
  http.auth.trialEligibility({ trial_eligible: false }),
  http.usage.credits(creditsBody("5000000000", [transaction])),
  http.credits.autoTopUp.get({ rule: null, charged_this_month_usd_cents: 0, paused: null }),
  http.invoices.list(buildPage([invoice])),
  http.creditNotes.list(buildPage([])),
  http.organization.billingDetails.get(noBillingDetails),
  http.paymentMethods.list({ items: [visa] }),
  http.marketplace.accounts({ items: [] }),
  http.marketplace.metering.get({
    meter: null,
    monthly_limit_usd_cents: null,
    used_this_month_usd: "0.00",
    drawn_this_month_usd: "0.00",
  }),
];

/** Returns a 402 response that asks the buyer to confirm at their bank. */
export const bankConfirmationRequired = (url: string) =>
  refuse(402, "payments.authentication_required", "Your bank wants you to confirm this. Open the link, then go on.", {
    url,
  });
