import { createTestClock } from "@feather/testing/clock";
import { createTestDatabase } from "../../testing/database.ts";
import { createTestDriver } from "./test-payment-driver.ts";
import { describePaymentDriver, type PaymentServiceUnderTest } from "./testing/payment-driver-behaviors.ts";

const PAGES = "http://localhost/test-payments/";

async function startTestDriver(): Promise<PaymentServiceUnderTest> {
  const clock = createTestClock();
  const { db, close } = await createTestDatabase();
  const pageUrl = (token: string) => PAGES + token;
  const testDriver = createTestDriver({ db, clock, cardFingerprintKey: new Uint8Array(32), pageUrl });
  await db.insertInto("organizations").values({ id: "org_1", name: "Acme" }).execute();
  let count = 0;
  return {
    driver: testDriver.driver,
    now: () => clock.now(),
    async beginSetup() {
      const setupId = `seti_${++count}`;
      const now = clock.now();
      const values = { organization_id: "org_1", status: "requires_payment_method", is_test: true };
      await db
        .insertInto("setup_intents")
        .values({
          ...values,
          id: setupId,
          client_secret_hash: Buffer.from(setupId),
          created_at: now,
          expires_at: new Date(now.getTime() + 1000),
        })
        .execute();
      const setup = await testDriver.driver.createSetup({ setupId, customer: "test:org_1" });
      if (!setup) throw new Error("The test driver knows every customer.");
      return setup;
    },
    enterCard: ({ reference }, number) => testDriver.enterCard(reference, number).catch((error: unknown) => error),
    async decide(url, approved) {
      const token = url.slice(PAGES.length);
      if ((await testDriver.authenticateSetup(token, approved)) === null)
        await testDriver.authenticate(token, approved);
    },
    async chargedCents(paymentId) {
      const row = await db
        .selectFrom("test_charges")
        .selectAll()
        .where("idempotency_key", "=", paymentId)
        .where("status", "=", "succeeded")
        .executeTakeFirst();
      return row ? row.amount_cents - row.refunded_cents : 0;
    },
    close,
  };
}

describePaymentDriver("test", startTestDriver);
