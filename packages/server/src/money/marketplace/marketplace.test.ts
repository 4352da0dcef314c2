import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, callConcurrently, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

let counter = 0;
const token = (product: string, customer = `cust-${++counter}`) => `test_${customer}_${product}`;
const subscribe = (who: Buyer, body: object, headers: Record<string, string> = {}) =>
  server.post(who, "/api/cloud-marketplace/subscribe", body, headers);
const accounts = async (who: Buyer) =>
  (
    await server.read<{ items: { provider: string; product: string; status: string }[] }>(
      who,
      "/api/cloud-marketplace/accounts",
    )
  ).items;

describe("a token of a marketplace", () => {
  test.each(["aws", "azure", "gcp"])(
    "a token of a marketplace puts the organization on the purchased plan: %s",
    async (provider) => {
      const who = await server.createBuyer(null);
      const answer = await subscribe(who, { provider, token: token("feather_max", "acme") });
      const account = { provider, customer_id: "acme", product: "feather_max", status: "active", is_test: true };
      expect([answer.status, answer.body]).toEqual([201, account]);
      expect(await server.subscription(who)).toMatchObject({
        plan: { id: "feather_max" },
        current_period_end_date: null,
      });
      expect(await accounts(who)).toEqual([account]);
      expect(await server.invoices(who)).toEqual([]);
    },
  );

  test("a token of a marketplace is refused with 404 when the product is no plan", async () => {
    const who = await server.createBuyer(null);
    const body = { provider: "aws", token: token("something_else") };
    const refused = await subscribe(who, body);
    expect([refused.status, errorCode(refused.body)]).toEqual([404, "marketplace.unknown_product"]);
    expect(await accounts(who)).toEqual([]);
    expect(await server.subscription(who)).toMatchObject({ id: null });
  });

  test("a token of a marketplace works once in fifty concurrent attempts of one or two organizations", async () => {
    const [one, two] = [await server.createBuyer(null), await server.createBuyer(null)];
    const body = { provider: "aws", token: token("feather_max") };
    expect(await callConcurrently(50, (index) => subscribe(index % 2 ? one : two, body))).toEqual({ 201: 1, 409: 49 });
    const plans = [(await server.subscription(one)).plan.id, (await server.subscription(two)).plan.id];
    expect(plans.sort()).toEqual(["feather_lite", "feather_max"]);
  });

  test("a token of a marketplace returns the same account for the same idempotency key when the response was lost", async () => {
    const who = await server.createBuyer(null);
    const body = { provider: "gcp", token: token("feather_max") };
    const headers = { "idempotency-key": "lost" };
    const first = await subscribe(who, body, headers);
    await server.db.deleteFrom("idempotency_keys").execute();
    const again = await subscribe(who, body, headers);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const replayed = await subscribe(who, body);
    expect([replayed.status, errorCode(replayed.body)]).toEqual([409, "marketplace.token_used"]);
  });

  test("a token of a marketplace changes the product of its customer, whom no other organization can claim", async () => {
    const [who, other] = [await server.createBuyer(null), await server.createBuyer(null)];
    const first = token("feather_scale", "moving");
    await subscribe(who, { provider: "aws", token: first });
    expect((await subscribe(who, { provider: "aws", token: token("feather_max", "moving") })).status).toBe(201);
    expect(await accounts(who)).toMatchObject([{ product: "feather_max", status: "active" }]);
    const taken = await subscribe(other, { provider: "aws", token: token("feather_basic", "moving") });
    expect([taken.status, errorCode(taken.body)]).toEqual([409, "marketplace.account_taken"]);
    expect(await server.subscription(other)).toMatchObject({ id: null });
    expect((await subscribe(who, { provider: "aws", token: first })).status).toBe(409);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_max" } });
  });

  test("a token of a marketplace is rejected while the organization pays for a plan here", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const answer = await subscribe(who, { provider: "aws", token: token("feather_max") });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "marketplace.plan_is_paid"]);
    expect(await accounts(who)).toEqual([]);
  });

  test("a token of a marketplace that was refused is not used up: it works when its reason is gone", async () => {
    const who = await server.createBuyer(null);
    const body = { provider: "aws", token: token("feather_max") };
    const sell = (is_public: boolean) =>
      server.db.updateTable("plans").set({ is_public }).where("id", "=", "feather_max").execute();
    await sell(false);
    const refused = await subscribe(who, body);
    await sell(true);
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "plans.contact_us"]);
    expect([await accounts(who), await server.subscription(who)]).toMatchObject([[], { id: null }]);
    expect((await subscribe(who, body)).status).toBe(201);
  });

  test("a token of a marketplace for the product that its customer has already leaves the account active", async () => {
    const who = await server.createBuyer(null);
    for (let time = 0; time < 2; time++)
      expect((await subscribe(who, { provider: "aws", token: `test_again-${time}_feather_max` })).status).toBe(201);
    await subscribe(who, { provider: "azure", token: "test_again-1_feather_max" });
    const active = (await accounts(who)).filter(({ status }) => status === "active");
    expect(active).toMatchObject([{ provider: "azure", customer_id: "again-1", product: "feather_max" }]);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_max" } });
  });

  test("a customer of one marketplace is not the one with the same id at another", async () => {
    const [one, other] = [await server.createBuyer(null), await server.createBuyer(null)];
    const body = { provider: "aws", token: "test_same-id_feather_max" };
    expect((await subscribe(one, body)).status).toBe(201);
    expect((await subscribe(other, { ...body, provider: "gcp" })).status).toBe(201);
    expect([await accounts(one), await accounts(other)]).toMatchObject([[{ provider: "aws" }], [{ provider: "gcp" }]]);
  });

  test.each([
    ["of a marketplace that is none", { provider: "ebay", token: "test_a_feather_max" }, "invalid_request"],
    ["that is not its own", { provider: "aws", token: "forged" }, "marketplace.invalid_token"],
    ["that is empty", { provider: "aws", token: "" }, "marketplace.invalid_token"],
    ["for nobody", { provider: "aws", token: "test__feather_max" }, "marketplace.invalid_token"],
    ["that is missing", { provider: "aws" }, "invalid_request"],
  ])("a marketplace token %s is rejected", async (_what, body, code) => {
    const answer = await subscribe(await server.createBuyer(null), body);
    expect([answer.status, errorCode(answer.body)]).toEqual([400, code]);
  });
});

test("a marketplace plan ends at once when it is canceled here", async () => {
  const who = await server.createBuyer(null);
  await subscribe(who, { provider: "aws", token: token("feather_max") });
  await server.call("/api/subscription", { method: "DELETE", token: who.key });
  expect(await server.subscription(who)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
  expect(await accounts(who)).toMatchObject([{ status: "canceled" }]);
});

test("a marketplace plan ends, and its account with it, when another plan is bought here", async () => {
  const who = await server.createBuyer();
  await subscribe(who, { provider: "aws", token: token("feather_max") });
  expect((await server.change(who, { plan_id: "feather_basic" })).status).toBe(200);
  expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_basic" } });
  expect(await accounts(who)).toMatchObject([{ product: "feather_max", status: "canceled" }]);
});

test("where marketplaces are off, tokens are refused, and accounts are still listed", async () => {
  const off = await createBillingServer(undefined, { FEATHER_MARKETPLACES: "off" });
  const who = await off.createBuyer(null);
  const body = { provider: "aws", token: token("feather_max") };
  const refused = await off.post(who, "/api/cloud-marketplace/subscribe", body);
  expect([refused.status, errorCode(refused.body)]).toEqual([409, "marketplace.off"]);
  expect(await off.read(who, "/api/cloud-marketplace/accounts")).toEqual({ items: [] });
  await off.close();
});

test("marketplace accounts of other organizations are not listed", async () => {
  const [who, other] = [await server.createBuyer(null), await server.createBuyer(null)];
  await subscribe(other, { provider: "aws", token: token("feather_max") });
  expect(await accounts(who)).toEqual([]);
});
