import { describePaymentDriver, type PaymentServiceUnderTest } from "../testing/payment-driver-behaviors.ts";
import { loadPaymentService } from "./load-payment-module.ts";
import { writeExampleDriver } from "./testing/example-driver.ts";
import { BANK_CARDS, BANK_KEY, startFakeExampleBank } from "./testing/fake-example-bank.ts";

async function startExampleDriver(): Promise<PaymentServiceUnderTest> {
  const bank = await startFakeExampleBank();
  Object.assign(process.env, { EXAMPLE_BANK_URL: bank.url, EXAMPLE_BANK_KEY: BANK_KEY });
  const { path, remove } = await writeExampleDriver();
  const settings = { payments: "module", paymentModule: path } as const;
  const service = await loadPaymentService(settings, { publicUrl: "http://localhost", log: { error: () => {} } });
  if (!service) throw new Error("The driver was not loaded.");
  const { driver } = service;
  let count = 0;
  return {
    driver,
    cards: BANK_CARDS,
    now: () => new Date(),
    async beginSetup() {
      const organizationId = `org_${++count}`;
      const customer = await driver.createCustomer({ organizationId, name: "Acme", email: "ada@example.com" }, null);
      const setup = await driver.createSetup({ setupId: `seti_${count}`, customer });
      if (!setup) throw new Error("The customer is missing.");
      return setup;
    },
    enterCard: async ({ reference }, number) => bank.enterCard(reference, number),
    decide: async (url, approved) => bank.decide(url, approved),
    async chargedCents(paymentId) {
      const payment = bank.bank.payments.get(paymentId);
      return payment?.status === "paid" ? payment.amount - payment.refunded : 0;
    },
    async close() {
      await bank.close();
      await remove();
    },
  };
}

describePaymentDriver("example", startExampleDriver);
