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

async function checkout(who: Buyer, body: object = { plan_id: "feather_basic" }): Promise<string> {
  const answer = await server.post(who, "/api/subscription/checkout", body);
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const { url, is_test } = answer.body as { url: string; is_test: boolean };
  expect(is_test).toBe(true);
  return url;
}
const textOf = async (response: Response) => response.text();
const cardsOf = async (who: Buyer) =>
  (await server.read<{ items: { id: string; last4: string; is_default: boolean }[] }>(who, "/api/payment-methods"))
    .items;

describe("the checkout page", () => {
  test("the checkout page shows the plan and its price, marked as a test", async () => {
    const who = await server.createBuyer(null);
    const response = await server.openPage(await checkout(who, { plan_id: "feather_scale", quantity: 3 }));
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    const text = await textOf(response);
    for (const part of ["TEST", "Scale × 3", "$300.00", "no money moves"]) expect(text).toContain(part);
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("the checkout page buys with the entered card and redirects to the site", async () => {
    const who = await server.createBuyer(null);
    const url = await checkout(who);
    const response = await server.openPage(url, { card: "4242 4242 4242 4242" });
    expect([response.status, response.headers.get("location")]).toEqual([
      303,
      "/subscription/complete?plan=feather_basic&quantity=1",
    ]);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_basic" }, status: "active" });
    expect(await cardsOf(who)).toMatchObject([{ last4: "4242", is_default: true }]);
    expect((await server.openPage(url)).status).toBe(404);
  });

  test("the checkout page buys once when it is submitted concurrently", async () => {
    const who = await server.createBuyer(null);
    const url = await checkout(who);
    const counts = await callConcurrently(50, () => server.openPage(url, { card: CARDS.works }));
    expect(counts[303]).toBe(1);
    expect(Object.keys(counts)).toEqual(["303", "404"]);
    expect(await server.chargedCents(who)).toBe(1000);
    expect(await cardsOf(who)).toHaveLength(1);
  });

  test("the checkout page buys the plan of the page that is submitted first when two are open", async () => {
    const who = await server.createBuyer(null);
    const [one, two] = [await checkout(who), await checkout(who)];
    await server.openPage(one, { card: CARDS.works });
    const second = await server.openPage(two, { card: CARDS.works });
    expect(second.status).toBe(409);
    expect(await server.chargedCents(who)).toBe(1000);
  });

  test("the checkout page stays open for another card when one is declined, at once or when it is charged", async () => {
    const who = await server.createBuyer();
    const url = await checkout(who);
    for (const card of [CARDS.declined, CARDS.failsLater, "1234", ""]) {
      const response = await server.openPage(url, { card });
      expect([card, response.status, (await textOf(response)).includes('role="alert"')]).toEqual([card, 200, true]);
    }
    expect(await server.chargedCents(who)).toBe(0);
    expect(await cardsOf(who)).toMatchObject([{ last4: "4242", is_default: true }]);
    expect((await server.openPage(url, { card: CARDS.alsoWorks })).status).toBe(303);
    expect(await server.chargedCents(who)).toBe(1000);
  });

  test("the checkout page asks the buyer to confirm the card and the payment when the bank requires it", async () => {
    const who = await server.createBuyer(null);
    const url = await checkout(who);
    const challengeText = await textOf(await server.openPage(url, { card: CARDS.authenticates }));
    expect(challengeText).toContain("Your bank asks");
    const refused = await textOf(await server.openPage(url, { card: CARDS.authenticates, decision: "refuse" }));
    expect(refused).toContain('role="alert"');
    const response = await server.openPage(url, { card: CARDS.authenticates, decision: "approve" });
    const location = response.headers.get("location") ?? "";
    expect([response.status, location]).toEqual([303, expect.stringMatching(/^\/api\/test-payments\/one_/)]);
    expect(await server.chargedCents(who)).toBe(0);
    const done = await server.openPage(`http://localhost${location}`, { decision: "approve" });
    expect(done.headers.get("location")).toBe("/subscription/complete?plan=feather_basic&quantity=1");
    expect(await server.chargedCents(who)).toBe(1000);
  });

  test("the checkout page expires after an hour", async () => {
    const who = await server.createBuyer(null);
    const url = await checkout(who);
    server.clock.at += 3_600_001;
    const response = await server.openPage(url, { card: CARDS.works });
    server.clock.at -= 3_600_001;
    expect(response.status).toBe(404);
    expect(await server.chargedCents(who)).toBe(0);
  });

  test.each([
    ["the free plan", { plan_id: "feather_lite" }, 409, "subscription.free_plan"],
    ["a plan without a price", { plan_id: "feather_enterprise" }, 409, "plans.contact_us"],
    ["no plan there is", { plan_id: "none" }, 404, "plans.not_found"],
    ["too many", { plan_id: "feather_basic", quantity: 9 }, 400, "subscription.quantity"],
  ])("the checkout page is not created for %s", async (_what, body, status, code) => {
    const answer = await server.post(await server.createBuyer(), "/api/subscription/checkout", body);
    expect([answer.status, errorCode(answer.body)]).toEqual([status, code]);
  });

  test("the checkout page is not created for the current plan", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const answer = await server.post(who, "/api/subscription/checkout", { plan_id: "feather_basic" });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "subscription.unchanged"]);
  });

  test("the checkout page says when a card had a trial before, and then sells without one", async () => {
    const admin = await server.signInAdmin();
    const plan = { id: "tried", name: "Tried", price_usd_cents: 700, trial_days: 7 };
    await server.call("/api/admin/plans", { token: admin.token, body: plan });
    const [first, second] = [await server.createBuyer(null), await server.createBuyer(null)];
    const card = "4111111111111111";
    expect((await server.openPage(await checkout(first, { plan_id: "tried" }), { card })).status).toBe(303);
    expect(await server.subscription(first)).toMatchObject({ status: "trialing" });
    const url = await checkout(second, { plan_id: "tried" });
    const pageText = await textOf(await server.openPage(url, { card }));
    expect(pageText).toContain("had a trial already");
    expect(pageText).toContain("$7.00");
    expect((await server.openPage(url, { card })).status).toBe(303);
    expect(await server.chargedCents(second)).toBe(700);
  });
});

describe("the customer portal", () => {
  async function portal(who: Buyer): Promise<string> {
    const answer = await server.post(who, "/api/subscription/customer-portal");
    expect(answer.body).toMatchObject({ is_test: true });
    return (answer.body as { url: string }).url;
  }

  test("the customer portal shows cards and invoices, and adds and removes cards", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const url = await portal(who);
    const [invoice] = await server.invoices(who);
    const text = await textOf(await server.openPage(url));
    for (const part of ["TEST", "4242", invoice?.number ?? "-", "$10.00"]) expect(text).toContain(part);
    expect(await textOf(await server.openPage(url, { card: CARDS.alsoWorks }))).toContain("4444");
    const other = (await cardsOf(who)).find(({ last4 }) => last4 === "4444");
    await server.openPage(url, { make_default: other?.id ?? "" });
    const first = (await cardsOf(who)).find(({ last4 }) => last4 === "4242");
    await server.openPage(url, { remove: first?.id ?? "" });
    expect(await cardsOf(who)).toMatchObject([{ last4: "4444", is_default: true }]);
    const refused = await textOf(await server.openPage(url, { remove: other?.id ?? "" }));
    expect(refused).toContain("Add another first");
    const declined = await textOf(await server.openPage(url, { card: CARDS.declined }));
    expect(declined).toContain("was declined");
  });

  test("the customer portal expires after an hour, and shows only data of its organization", async () => {
    const [who, other] = [await server.createBuyer(), await server.createBuyer()];
    const url = await portal(who);
    const [card] = await cardsOf(other);
    await server.openPage(url, { remove: card?.id ?? "" });
    expect(await cardsOf(other)).toHaveLength(1);
    server.clock.at += 3_600_001;
    expect((await server.openPage(url)).status).toBe(404);
    await server.platform.jobs.find(({ name }) => name === "delete ended payment pages")?.run();
    server.clock.at -= 3_600_001;
    expect(await server.db.selectFrom("portal_sessions").selectAll().execute()).toEqual([]);
  });
});

describe("pages of the test driver", () => {
  test("pages of the test driver block scripts, foreign styles, frames and external addresses", async () => {
    const admin = await server.signInAdmin();
    const name = `<script>alert(1)</script>"'&`;
    const plan = { id: "hostile", name, price_usd_cents: 100 };
    await server.call("/api/admin/plans", { token: admin.token, body: plan });
    const response = await server.openPage(await checkout(await server.createBuyer(null), { plan_id: "hostile" }));
    const text = await textOf(response);
    expect(text).not.toContain("<script");
    expect(text).toContain("&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
    expect(text).not.toMatch(/ style="|https?:\/\//);
  });

  test.each(["one_", "none", "x".repeat(100), "%00", "one_<script>"])(
    "pages of the test driver return 404 for an invalid token: %s",
    async (token) => {
      for (const form of [undefined, { card: CARDS.works }]) {
        const response = await server.openPage(`http://localhost/api/test-payments/${token}`, form);
        expect([400, 404]).toContain(response.status);
      }
    },
  );

  test("pages of the test driver reject fields that their form does not have", async () => {
    const url = await checkout(await server.createBuyer(null));
    for (const form of [{ decision: "maybe" }, { card: CARDS.works, amount: "0" }] as Record<string, string>[])
      expect((await server.openPage(url, form)).status).toBe(400);
  });
});
