import { type AppError, createError, errors } from "../../core/errors/index.ts";

/** 400 `subscription.quantity`: the quantity is outside the range of the plan. */
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

/** 402 `payment_methods.required`: the setup intent has no confirmed card. */
export function setupIntentNotConfirmed(): AppError {
  return errors.paymentMethods.required("This setup intent holds no confirmed card.", { param: "setup_intent" });
}

/** 402 `payments.card_declined`, with the decline code of the payment service. */
export function cardDeclined(code: string): AppError {
  return errors.payments.cardDeclined({ reason: code }, { details: { decline_code: code } });
}

/** 402 `payments.authentication_required`: the bank asks the buyer to confirm, at `url` if known. */
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
/** Why a coupon cannot be used; the last part of the error code. */
export type CouponRejection = keyof typeof REJECTION_MESSAGES;

/** 409 `coupons.<reason>`: the organization cannot use the coupon. */
export function couponRejected(reason: CouponRejection): AppError {
  return createError(`coupons.${reason}`, REJECTION_MESSAGES[reason], { param: "code", details: { reason } });
}
