import { STRIPE_KEYS, startFakeStripe } from "@feather/testing/fake-stripe";
import { describePaymentDriver, type PaymentServiceUnderTest } from "../testing/payment-driver-behaviors.ts";
import { createStripeClient } from "./stripe-client.ts";
import { createStripeDriver } from "./stripe-driver.ts";

async function startStripeDriver(): Promise<PaymentServiceUnderTest> {
  const fake = await startFakeStripe();
  const driver = createStripeDriver({
    getStripe: createStripeClient({ secretKey: STRIPE_KEYS.secretKey, apiBase: fake.url }),
    isTest: true,
    returnUrl: "http://localhost/account",
    log: { error: () => {} },
  });
  let count = 0;
  return {
    driver,
    now: () => new Date(),
    async beginSetup() {
      const organizationId = `org_${++count}`;
      const customer = await driver.createCustomer({ organizationId, name: "Acme", email: "ada@example.com" }, null);
      const setup = await driver.createSetup({ setupId: `seti_${count}`, customer });
      if (!setup) throw new Error("The customer is missing.");
      return setup;
    },
    enterCard: ({ clientSecret }, number) => fake.enterCard(clientSecret ?? "", number),
    decide: async (url, approved) => fake.authenticate(url, approved),
    async chargedCents(paymentId) {
      const intents = [...fake.store.paymentIntents.values()].filter(
        ({ metadata }) => (metadata as Record<string, string>).payment_id === paymentId,
      );
      return intents.reduce((sum, { latest_charge }) => {
        const charge = fake.store.charges.get(latest_charge ?? "");
        return sum + (charge ? charge.amount - charge.amount_refunded : 0);
      }, 0);
    },
    close: fake.close,
  };
}

describePaymentDriver("Stripe", startStripeDriver);
