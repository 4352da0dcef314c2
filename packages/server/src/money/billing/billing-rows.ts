import type { Selectable } from "kysely";
import type { BillingAccounts, PaymentMethods, Subscriptions } from "../../platform/core/db/schema.generated.ts";
import type { CurrencyRate } from "../currencies/index.ts";
import type { CouponRow, PlanRow } from "../plans/index.ts";

/** A row of the table of billing accounts, one per organization. */
export type AccountRow = Selectable<BillingAccounts>;
/** A row of the table of subscriptions. */
export type SubscriptionRow = Selectable<Subscriptions>;
/** A row of the table of payment methods. */
export type PaymentMethodRow = Selectable<PaymentMethods>;

/**
 * The account and current subscription of an organization, locked until the transaction ends. All amounts are minor units of the
 * currency of `rate`, its present rate.
 */
export type BillingState = {
  account: AccountRow;
  rate: CurrencyRate;
  subscription: { row: SubscriptionRow; plan: PlanRow; coupon: CouponRow | null; rate: CurrencyRate } | null;
};
