import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, CARDS, callConcurrently, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

type Card = { id: string; last4: string; is_default: boolean };
const cards = async (who: Buyer) => (await server.read<{ items: Card[] }>(who, "/api/payment-methods")).items;
const urlIn = (answer: { body: unknown }) =>
  (JSON.parse((answer.body as { data: string }).data) as { details: { url: string } }).details.url;
const remove = (who: Buyer, id: string) =>
  server.call(`/api/payment-methods/${id}`, { method: "DELETE", token: who.key });

describe("adding a card", () => {
  test("adding a card stores its last digits, and makes the first card the default", async () => {
    const who = await server.createBuyer(null);
    const answer = await server.addCard(who);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        id: expect.stringMatching(/^pm_/),
        brand: "visa",
        last4: "4242",
        exp_month: 12,
        exp_year: 2030,
        is_default: true,
        is_test: true,
      },
    ]);
    await server.addCard(who, CARDS.alsoWorks);
    expect((await cards(who)).map(({ last4, is_default }) => [last4, is_default]).sort()).toEqual([
      ["4242", true],
      ["4444", false],
    ]);
    const kept = await server.db.selectFrom("payment_methods").selectAll().execute();
    expect(JSON.stringify(kept)).not.toContain(CARDS.works);
  });

  test.each([
    ["is declined", CARDS.declined, 402, "payments.card_declined"],
    ["has no money", "4000000000009995", 402, "payments.card_declined"],
    ["has a wrong check digit", "4242424242424241", 402, "payments.card_declined"],
    ["is no number", "not-a-card", 400, "invalid_request"],
    ["is too short", "4242", 400, "invalid_request"],
  ])("adding a card is rejected if it %s", async (_what, number, status, code) => {
    const who = await server.createBuyer(null);
    const answer = await server.addCard(who, number);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
    expect(await cards(who)).toEqual([]);
  });

  test("adding a card sends the buyer to the bank when required, and saves the card once they confirm", async () => {
    const who = await server.createBuyer(null);
    const intent = (await server.post(who, "/api/payment-methods/setup-intent")).body as { id: string };
    const path = `/api/payment-methods/setup-intent/${intent.id}`;
    const response = await server.post(who, path, { test_card: CARDS.authenticatesOnce });
    expect([response.status, errorCode(response.body)]).toEqual([402, "payments.authentication_required"]);
    expect(await cards(who)).toEqual([]);
    const page = await server.openPage(urlIn(response));
    expect(await page.text()).toContain("TEST");
    const refused = await server.openPage(urlIn(response), { decision: "refuse" });
    expect(refused.headers.get("location")).toBe("/account/payment-methods");
    expect((await server.openPage(urlIn(response))).status).toBe(404);
    const again = await server.post(who, path, { test_card: CARDS.authenticatesOnce });
    const done = await server.openPage(urlIn(again), { decision: "approve" });
    expect([done.status, done.headers.get("location")]).toEqual([303, "/account/payment-method-added"]);
    expect((await cards(who)).map(({ last4 }) => last4)).toEqual(["3155"]);
    expect((await server.post(who, path)).status).toBe(200);
    expect(await cards(who)).toHaveLength(1);
  });

  test("fifty concurrent confirmations save one card", async () => {
    const who = await server.createBuyer(null);
    const intent = (await server.post(who, "/api/payment-methods/setup-intent")).body as { id: string };
    const path = `/api/payment-methods/setup-intent/${intent.id}`;
    const counts = await callConcurrently(50, () => server.post(who, path, { test_card: CARDS.works }));
    expect(counts).toEqual({ 200: 50 });
    expect(await cards(who)).toHaveLength(1);
  });

  test("adding a card requires an unexpired setup intent of the own organization", async () => {
    const [who, other] = [await server.createBuyer(null), await server.createBuyer(null)];
    const intent = (await server.post(other, "/api/payment-methods/setup-intent")).body as { id: string };
    const path = `/api/payment-methods/setup-intent/${intent.id}`;
    expect((await server.post(who, path, { test_card: CARDS.works })).status).toBe(404);
    expect((await server.post(who, "/api/payment-methods/setup-intent/none", {})).status).toBe(404);
    expect((await server.post(other, path, {})).status).toBe(400);
    const now = server.clock.at;
    server.clock.at += 25 * 3_600_000;
    const late = await server.post(other, path, { test_card: CARDS.works });
    server.clock.at = now;
    expect([late.status, errorCode(late.body)]).toEqual([409, "setup_intents.ended"]);
  });
});

describe("managing cards", () => {
  test("a purchase charges the card that was made the default", async () => {
    const who = await server.createBuyer();
    const { id } = (await server.addCard(who, CARDS.alsoWorks)).body as Card;
    const answer = await server.call(`/api/payment-methods/${id}`, { method: "PUT", token: who.key });
    expect(answer.body).toMatchObject({ id, is_default: true });
    await server.change(who, { plan_id: "feather_basic" });
    const payment = await server.db
      .selectFrom("payments")
      .selectAll()
      .where("organization_id", "=", who.organizationId)
      .executeTakeFirstOrThrow();
    expect(payment).toMatchObject({ payment_method_id: id, is_test: true, status: "succeeded" });
  });

  test("removing the default card makes the newest one the default, and keeps the only card of a paid plan", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const [first] = await cards(who);
    const refused = await remove(who, first?.id ?? "");
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "payment_methods.needed"]);
    await server.addCard(who, CARDS.alsoWorks);
    expect((await remove(who, first?.id ?? "")).status).toBe(204);
    expect(await cards(who)).toMatchObject([{ last4: "4444", is_default: true }]);
    await server.call("/api/subscription", { method: "DELETE", token: who.key });
    const [last] = await cards(who);
    expect((await remove(who, last?.id ?? "")).status).toBe(204);
    expect(await cards(who)).toEqual([]);
  });

  test("returns 404 for cards of other organizations", async () => {
    const [who, other] = [await server.createBuyer(), await server.createBuyer()];
    const [card] = await cards(other);
    for (const id of [card?.id ?? "", "none"])
      for (const method of ["PUT", "DELETE"])
        expect((await server.call(`/api/payment-methods/${id}`, { method, token: who.key })).status).toBe(404);
    expect(await cards(other)).toHaveLength(1);
  });
});

describe("a card that needs confirmation at every payment", () => {
  async function waiting() {
    const who = await server.createBuyer(null);
    const intent = (await server.post(who, "/api/payment-methods/setup-intent")).body as { id: string };
    const path = `/api/payment-methods/setup-intent/${intent.id}`;
    const response = await server.post(who, path, { test_card: CARDS.authenticates });
    await server.openPage(urlIn(response), { decision: "approve" });
    const headers = { "idempotency-key": `wait-${who.userId}` };
    const answer = await server.change(who, { plan_id: "feather_basic" }, headers);
    expect([answer.status, errorCode(answer.body)]).toEqual([402, "payments.authentication_required"]);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_lite" } });
    return { who, url: urlIn(answer), headers };
  }

  test("a card that needs confirmation completes the purchase once it is confirmed, and a retried call succeeds", async () => {
    const { who, url, headers } = await waiting();
    await server.runJobs(); // cleaning up does not end the page that the buyer has open
    const done = await server.openPage(url, { decision: "approve" });
    expect([done.status, done.headers.get("location")]).toEqual([
      303,
      "/subscription/complete?plan=feather_basic&quantity=1",
    ]);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_basic" }, status: "active" });
    expect((await server.change(who, { plan_id: "feather_basic" }, headers)).status).toBe(200);
    expect(await server.chargedCents(who)).toBe(1000);
  });

  test("a card payment is confirmed once by concurrent attempts", async () => {
    const { who, url } = await waiting();
    const counts = await callConcurrently(50, () => server.openPage(url, { decision: "approve" }));
    expect(counts[303]).toBe(1);
    expect(await server.chargedCents(who)).toBe(1000);
    expect(await server.invoices(who)).toHaveLength(1);
  });

  test("a card payment that the buyer refuses to confirm buys nothing", async () => {
    const { who, url } = await waiting();
    expect(await (await server.openPage(url, { decision: "refuse" })).text()).toContain("Nothing was charged");
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_lite" } });
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("a card payment that the buyer does not confirm is canceled after a day, or by another purchase before that", async () => {
    const { who, url } = await waiting();
    await server.addCard(who, CARDS.works);
    const works = (await cards(who)).find(({ last4 }) => last4 === "4242");
    await server.call(`/api/payment-methods/${works?.id}`, { method: "PUT", token: who.key });
    expect((await server.change(who, { plan_id: "feather_pro_plus" })).status).toBe(200);
    expect((await server.openPage(url, { decision: "approve" })).status).toBe(404);
    expect(await server.chargedCents(who)).toBe(2500);

    const left = await waiting();
    server.clock.at += 25 * 3_600_000;
    await server.runJobs();
    server.clock.at -= 25 * 3_600_000;
    expect((await server.openPage(left.url)).status).toBe(404);
    expect(await server.chargedCents(left.who)).toBe(0);
  });

  test("a confirmed card payment is refunded when the subscription changed in between", async () => {
    const { who, url } = await waiting();
    const token = `test_${who.userId.slice(4)}_feather_max`;
    await server.post(who, "/api/cloud-marketplace/subscribe", { provider: "aws", token });
    await server.openPage(url, { decision: "approve" });
    await server.runJobs();
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_max" } });
    expect(await server.chargedCents(who)).toBe(0);
  });
});

test("a change that waits for the bank is refunded when the subscription is canceled meanwhile", async () => {
  const who = await server.createBuyer();
  await server.change(who, { plan_id: "feather_basic" });
  const cardsOfWho = server.db.updateTable("payment_methods").set({ reference: "test:authenticates:x" });
  await cardsOfWho.where("organization_id", "=", who.organizationId).execute();
  const response = await server.change(who, { plan_id: "feather_pro_plus" });
  expect([response.status, errorCode(response.body)]).toEqual([402, "payments.authentication_required"]);
  await server.call("/api/subscription", { method: "DELETE", token: who.key });
  const page = await server.openPage(urlIn(response), { decision: "approve" });
  expect([page.status, (await page.text()).includes("given back")]).toEqual([200, true]);
  expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_basic" }, cancel_at_period_end: true });
  expect(await server.chargedCents(who)).toBe(1000);
});

test("a card that is declined when charged buys nothing, and another can be used with the same idempotency key", async () => {
  const who = await server.createBuyer(CARDS.failsLater);
  const headers = { "idempotency-key": "declined" };
  const answer = await server.change(who, { plan_id: "feather_basic" }, headers);
  expect([answer.status, errorCode(answer.body)]).toEqual([402, "payments.card_declined"]);
  expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_lite" } });
  expect(await server.invoices(who)).toEqual([]);
  const { id } = (await server.addCard(who, CARDS.works)).body as Card;
  await server.call(`/api/payment-methods/${id}`, { method: "PUT", token: who.key });
  expect((await server.change(who, { plan_id: "feather_basic" }, headers)).status).toBe(200);
  expect(await server.chargedCents(who)).toBe(1000);
});

test("a purchase is charged to the card of its setup intent", async () => {
  const who = await server.createBuyer();
  const intent = (await server.post(who, "/api/payment-methods/setup-intent")).body as { id: string };
  const unfinished = await server.change(who, { plan_id: "feather_basic", setup_intent: intent.id });
  expect([unfinished.status, errorCode(unfinished.body)]).toEqual([402, "payment_methods.required"]);
  await server.post(who, `/api/payment-methods/setup-intent/${intent.id}`, { test_card: CARDS.alsoWorks });
  expect((await server.change(who, { plan_id: "feather_basic", setup_intent: intent.id })).status).toBe(200);
  expect((await cards(who)).find(({ is_default }) => is_default)?.last4).toBe("4444");
});
