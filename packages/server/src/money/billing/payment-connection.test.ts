import { expect, test } from "vitest";
import { createBillingServer } from "../../testing/billing.ts";
import { createStripeServer } from "../../testing/stripe.ts";

const PATH = "/api/admin/payments/check";

test("admins see how the server is connected to Stripe, others do not", async () => {
  const server = await createStripeServer();
  const { token } = await server.signInAdmin();
  const { status, body } = await server.call(PATH, { token });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    driver: "stripe",
    is_test: true,
    webhook: { state: "missing" },
    problems: [expect.stringContaining("No webhook endpoint")],
  });
  expect((await server.call(PATH, { token: (await server.createBuyer(null)).token })).status).toBe(404);
  await server.close();
});

test("admins see that there is nothing to be connected to with the test driver", async () => {
  const server = await createBillingServer();
  const { token } = await server.signInAdmin();
  expect((await server.call(PATH, { token })).body).toEqual({
    ...{ driver: "test", is_test: true, account: null, webhook: null, permissions: [], problems: [] },
  });
  await server.close();
});
