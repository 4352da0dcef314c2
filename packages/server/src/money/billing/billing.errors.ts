import { type AppError, createError, errors } from "../../platform/core/errors/index.ts";
import { formatMoney } from "../currencies/index.ts";
import { cardDeclined } from "../payment-services/index.ts";

/** Returns the error `subscription.quantity` (400): the quantity is outside the range of the plan. */
export function invalidQuantity(min: number, max: number): AppError {
  const range = min === max ? `${min}` : `from ${min} to ${max}`;
  return errors.subscription.quantity(
    { range },
    {
      param: "quantity",
      details: { min, max },
    },
  );
}

/** Returns the error `payment_methods.required` (402): the setup intent has no confirmed card. */
export function setupIntentNotConfirmed(): AppError {
  return errors.paymentMethods.required("This setup intent holds no confirmed card.", { param: "setup_intent" });
}

/** Returns the error `payments.currency_refused` (402) where a payment failed because of its currency, else `payments.card_declined`. */
export function paymentFailed(code: string, currency: string): AppError {
  return code === "currency_refused" ? errors.payments.currencyRefused({ currency }) : cardDeclined(code);
}

/** Returns the error `payments.amount_too_small` (409): a card cannot be charged this amount. */
export function amountTooSmall(amountCents: number, minChargeCents: number, currency: string): AppError {
  const format = (cents: number) => formatMoney(cents, currency);
  return errors.payments.amountTooSmall(
    { amount: format(amountCents), smallest: format(minChargeCents) },
    { details: { amount_cents: amountCents, smallest_cents: minChargeCents, currency } },
  );
}

/** Returns the error `payments.authentication_required` (402): the bank asks the buyer to confirm, at `url` if known. */
export function authenticationRequired(url: string | null): AppError {
  return errors.payments.authenticationRequired({
    ...(url !== null && { details: { url } }),
  });
}

const REJECTION_MESSAGES = {
  expired: "The coupon is too old.",
  ended: "The coupon has ended.",
  used_up: "The coupon was used as often as it may be.",
  already_used: "You used this coupon before.",
  not_for_plan: "The coupon is not for this plan.",
} as const;
/** The reason why a coupon cannot be used: the last part of the error code. */
export type CouponRejection = keyof typeof REJECTION_MESSAGES;

/** Returns the error `coupons.<reason>` (409): the organization cannot use the coupon. */
export function couponRejected(reason: CouponRejection): AppError {
  return createError(`coupons.${reason}`, REJECTION_MESSAGES[reason], { param: "code", details: { reason } });
}
