import { AppError, notFound } from "../../shared/errors.ts";

const NO_RETRY = { headers: { "x-should-retry": "false" } };

/** 409 `payments_off`: nothing is sold on this server. */
export function paymentsOff(): AppError {
  return new AppError(
    409,
    "payments_off",
    "Payments are switched off on this server. An admin can put your organization on a plan.",
    NO_RETRY,
  );
}

/** 404 `plans.not_found`. */
export function planNotFound(): AppError {
  return notFound("There is no plan with this id.", "plans.not_found");
}

/** 409 `plans.contact_us`: the plan is hidden or has no price. */
export function notForSale(name: string): AppError {
  return new AppError(409, "plans.contact_us", `${name} is not for sale here. Ask whoever runs this server.`);
}

/** 400 `subscription.quantity`: the quantity is outside the range of the plan. */
export function invalidQuantity(min: number, max: number): AppError {
  const range = min === max ? `${min}` : `from ${min} to ${max}`;
  return new AppError(400, "subscription.quantity", `quantity is not valid: this plan is sold in ${range}.`, {
    param: "quantity",
    details: { min, max },
  });
}

/** 409 `subscription.unchanged`: the organization has this plan in this quantity. */
export function subscriptionUnchanged(): AppError {
  return new AppError(409, "subscription.unchanged", "You are on this plan already, in this quantity.");
}

/** 409 `subscription.none`: there is no paid subscription to act on. */
export function noPaidSubscription(): AppError {
  return new AppError(409, "subscription.none", "There is no paid subscription.");
}

/** 404 `subscription.not_found`. */
export function subscriptionNotFound(): AppError {
  return notFound("There is no subscription with this id.", "subscription.not_found");
}

/** 409 `subscription.not_canceled`: there is no cancellation to withdraw. */
export function subscriptionNotCanceled(): AppError {
  return new AppError(409, "subscription.not_canceled", "The subscription was not canceled.");
}

/** 409 `subscription.payment_due`: the plan cannot change while an invoice is open. */
export function paymentDue(): AppError {
  return new AppError(409, "subscription.payment_due", "An invoice is open. Pay it first, or cancel.");
}

/** 409 `subscription.change_in_progress`: the payment of another change is not settled. */
export function changeInProgress(): AppError {
  return new AppError(409, "subscription.change_in_progress", "Another change is being paid. Try again in a moment.", {
    headers: { "retry-after": "2" },
  });
}

/** 409 `subscription.changed_meanwhile`: the purchase was out of date when it was paid, and is refunded. */
export function subscriptionChanged(): AppError {
  return new AppError(
    409,
    "subscription.changed_meanwhile",
    "The subscription changed while this was paid. The payment is given back; look at the new price and try again.",
  );
}

/** 409 `subscription.trial_used`: this person had a trial before. */
export function trialUsed(): AppError {
  return new AppError(
    409,
    "subscription.trial_used",
    "This account, card or e-mail address had a trial already. Send trial: false to buy the plan at once.",
  );
}

/** 402 `payment_method_required`: there is no card to charge. */
export function paymentMethodRequired(): AppError {
  return new AppError(402, "payment_method_required", "Add a card first.", NO_RETRY);
}

/** 402 `payment_method_required`: the setup intent has no confirmed card. */
export function setupIntentNotConfirmed(): AppError {
  return new AppError(402, "payment_method_required", "This setup intent holds no confirmed card.", {
    ...NO_RETRY,
    param: "setup_intent",
  });
}

/** 402 `card_declined`, with the decline code of the payment service. */
export function cardDeclined(code: string): AppError {
  return new AppError(402, "card_declined", `The card was declined (${code}). Try another card.`, {
    ...NO_RETRY,
    details: { decline_code: code },
  });
}

/** 402 `authentication_required`: the bank asks the buyer to confirm, at `url` if known. */
export function authenticationRequired(url: string | null): AppError {
  return new AppError(
    402,
    "authentication_required",
    "Your bank wants you to confirm this. Open the link, then go on.",
    {
      ...NO_RETRY,
      ...(url !== null && { details: { url } }),
    },
  );
}

/** 409 `payments.pending`: the payment service has not responded yet. */
export function paymentPending(): AppError {
  return new AppError(409, "payments.pending", "The payment service has not answered yet. Look again in a moment.", {
    headers: { "retry-after": "5" },
  });
}

/** 409 `payment_methods.needed`: the only card of a paid plan cannot be removed. */
export function lastCardRequired(): AppError {
  return new AppError(
    409,
    "payment_methods.needed",
    "This card pays for your plan. Add another first, or cancel the plan.",
  );
}

/** 409 `setup_intents.ended`: the setup intent expired or was canceled. */
export function setupIntentExpired(): AppError {
  return new AppError(409, "setup_intents.ended", "This setup intent has ended. Make a new one.");
}

/** 409 `subscription.free_plan`: the free plan cannot be bought. */
export function freePlanNotForSale(): AppError {
  return new AppError(409, "subscription.free_plan", "The free plan is not for sale. Cancel the subscription instead.");
}

/** 404 `test_payments.ended`: the payment page was used or has expired. */
export function paymentPageExpired(): AppError {
  return notFound("This page has ended. Go back to the site and begin anew.", "test_payments.ended");
}

/** 404 `payment_methods.not_found`. */
export function paymentMethodNotFound(): AppError {
  return notFound("There is no card with this id.", "payment_methods.not_found");
}

/** 404 `setup_intents.not_found`. */
export function setupIntentNotFound(): AppError {
  return notFound("There is no setup intent with this id.", "setup_intents.not_found");
}

/** 409 `organization.deleted`: the organization was deleted meanwhile. */
export function organizationDeleted(): AppError {
  return new AppError(409, "organization.deleted", "The organization was deleted meanwhile.", NO_RETRY);
}

/** 404 `invoices.not_found`. */
export function invoiceNotFound(): AppError {
  return notFound("There is no invoice with this id.", "invoices.not_found");
}

/** 404 `coupons.not_found`. */
export function couponNotFound(): AppError {
  return notFound("There is no such coupon.", "coupons.not_found");
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
  return new AppError(409, `coupons.${reason}`, REJECTION_MESSAGES[reason], { param: "code", details: { reason } });
}

/** 409 `coupons.one_at_a_time`: the subscription has another coupon. */
export function couponAlreadyApplied(code: string): AppError {
  return new AppError(409, "coupons.one_at_a_time", `The subscription has the coupon ${code}. Remove it first.`);
}
