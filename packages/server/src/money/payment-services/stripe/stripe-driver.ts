import type { PaymentDriver } from "../payment-driver.ts";
import { minChargeCents } from "./stripe-amounts.ts";
import { createCustomer, createSetup, findSetup, removeCard } from "./stripe-cards.ts";
import type { StripeDeps } from "./stripe-client.ts";
import { cancelPayment, chargePayment, findPayment, refundPayment } from "./stripe-payments.ts";

/** Creates the driver for Stripe. Our payment id is the idempotency key of a charge, so it is charged once. */
export function createStripeDriver(deps: StripeDeps): PaymentDriver {
  return {
    name: "stripe",
    isTest: deps.isTest,
    minChargeCents,
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
