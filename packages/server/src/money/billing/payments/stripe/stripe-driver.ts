import type { PaymentDriver } from "../payment-driver.ts";
import { createCustomer, createSetup, findSetup, removeCard } from "./stripe-cards.ts";
import type { StripeDeps } from "./stripe-client.ts";
import { cancelPayment, chargePayment, findPayment, refundPayment } from "./stripe-payments.ts";

/** Stripe's minimum in US dollars. It depends on the currency: https://docs.stripe.com/currencies#minimum-and-maximum-charge-amounts */
const MIN_CHARGE_CENTS = 50;

/** Creates the driver for Stripe. Our payment id is the idempotency key of a charge, so it is charged once. */
export function createStripeDriver(deps: StripeDeps): PaymentDriver {
  return {
    name: "stripe",
    isTest: deps.isTest,
    minChargeCents: MIN_CHARGE_CENTS,
    createCustomer: (details, replaced) => createCustomer(deps, details, replaced),
    createSetup: (setup) => createSetup(deps, setup),
    findSetup: (reference) => findSetup(deps, reference),
    removeCard: (reference) => removeCard(deps, reference),
    charge: (charge) => chargePayment(deps, charge),
    find: (payment) => findPayment(deps, payment),
    cancel: (payment) => cancelPayment(deps, payment),
    refund: (payment) => refundPayment(deps, payment),
  };
}
