import { afterAll, describe, expect, test } from "vitest";
import { type Buyer, CARDS, createBillingServer } from "../../testing/billing.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";

const server = await createBillingServer("2026-03-01T10:00:00Z");
afterAll(() => server.close());

const asAdmin = async (method: string, path: string, body?: object) =>
  server.call(`/api/admin/currencies${path}`, {
    method,
    token: (await server.signInAdmin()).token,
    ...(body && { body }),
  });
const switchOn = (code: string, units_per_usd: string, more: object = {}) =>
  asAdmin("PUT", `/${code}`, { units_per_usd, ...more });
const choose = (who: Buyer, currency: string) =>
  server.call("/api/organization/billing-details", { method: "PUT", token: who.key, body: { currency } });
const codeOf = ({ body }: { body: unknown }) => (JSON.parse((body as { data: string }).data) as { code: string }).code;

async function createPayer(currency: string, rate: string): Promise<Buyer> {
  await switchOn(currency, rate);
  const who = await server.createBuyer();
  expect((await choose(who, currency)).status).toBe(200);
  return who;
}

/** Lets the bank ask for a confirmation of each payment with the card. */
async function needConfirmation({ organizationId }: Buyer): Promise<void> {
  await server.db
    .updateTable("payment_methods")
    .set({ reference: "test:authenticates:1" })
    .where("organization_id", "=", organizationId)
    .execute();
}

async function refund(id: string, amount_cents?: number) {
  const { token } = await server.signInAdmin();
  const body = { ...(amount_cents !== undefined && { amount_cents }), end_plan: false };
  return server.call(`/api/admin/invoices/${id}/refund`, { method: "POST", token, body });
}

describe("currencies", () => {
  test("only US dollars are there at first, and they stay", async () => {
    const { body } = await asAdmin("GET", "");
    expect(body).toMatchObject({ items: [{ code: "USD", units_per_usd: "1", is_default: true }] });
    expect(codeOf(await asAdmin("DELETE", "/USD"))).toBe("currencies.always_there");
    expect(codeOf(await switchOn("USD", "2"))).toBe("currencies.always_there");
    expect((await switchOn("USD", "1.0")).status).toBe(200);
  });

  test.each(["0", "0.0", "-1", "1e3", "100001", "0.123456789", "123456789012345678901234567890", "", "NaN", "0,92"])(
    "the rate %j is refused",
    async (rate) => {
      expect((await switchOn("GBP", rate)).status).toBe(400);
    },
  );

  test.each(["XXX", "eur", "EURO", "XAU", "BTC"])("the currency %s is refused", async (code) => {
    expect((await switchOn(code, "1")).status).toBe(400);
  });

  test("a change of a rate is in the audit log with the rate before", async () => {
    await switchOn("CHF", "0.8");
    await switchOn("CHF", "0.81");
    const rows = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "currencies.set")
      .where("target", "=", "CHF")
      .orderBy("sequence")
      .execute();
    expect(rows.map(({ details }) => details)).toEqual([
      { units_per_usd: "0.8", units_per_usd_before: null },
      { units_per_usd: "0.81", units_per_usd_before: "0.8" },
    ]);
  });

  test("a currency that nobody pays in is switched off with the prices of plans in it", async () => {
    await switchOn("SEK", "10.5");
    const { token } = await server.signInAdmin();
    const plan = { method: "PUT", token, body: { prices: [{ currency: "SEK", price_cents: 9900 }] } };
    expect((await server.call("/api/admin/plans/feather_basic", plan)).status).toBe(200);
    expect((await asAdmin("DELETE", "/SEK")).status).toBe(204);
    expect((await asAdmin("DELETE", "/SEK")).status).toBe(404);
    const row = await server.db
      .selectFrom("plans")
      .select("prices")
      .where("id", "=", "feather_basic")
      .executeTakeFirstOrThrow();
    expect(row.prices).toEqual({});
    expect((await server.call("/api/admin/plans/feather_basic", plan)).status).toBe(400);
  });

  test("a currency stays while an organization pays in it", async () => {
    const who = await createPayer("NOK", "10.2");
    expect(codeOf(await asAdmin("DELETE", "/NOK"))).toBe("currencies.in_use");
    expect((await choose(who, "USD")).status).toBe(200);
    expect((await asAdmin("DELETE", "/NOK")).status).toBe(204);
    expect((await choose(who, "NOK")).status).toBe(400);
  });

  test("the default is for organizations that bought nothing and chose nothing", async () => {
    const before = await server.createBuyer();
    await switchOn("DKK", "6.9", { is_default: true });
    const after = await server.createBuyer(null);
    const currencyOf = async (who: Buyer) =>
      (await server.read<{ currency: string }>(who, "/api/organization/billing-details")).currency;
    expect(await currencyOf(after)).toBe("DKK");
    expect((await server.subscription(after)) as object).toMatchObject({ currency: "DKK" });
    await choose(after, "USD");
    await switchOn("DKK", "6.9", { is_default: false });
    expect(await currencyOf(after)).toBe("USD");
    expect(await currencyOf(before)).toBe("USD");
  });
});

describe("prices of plans", () => {
  test("a plan has its own price in a currency, or that in dollars at the rate, rounded up", async () => {
    await switchOn("EUR", "0.9215");
    const { token } = await server.signInAdmin();
    const update = (prices: object[]) =>
      server.call("/api/admin/plans/feather_pro_plus", { method: "PUT", token, body: { prices } });
    const priceOf = async () => {
      const { items } = (await server.call("/api/subscription/plans")).body as {
        items: { id: string; prices: { currency: string }[] }[];
      };
      return items.find(({ id }) => id === "feather_pro_plus")?.prices.find(({ currency }) => currency === "EUR");
    };
    expect(await priceOf()).toEqual({ currency: "EUR", price_cents: 2304, is_converted: true });
    expect((await update([{ currency: "EUR", price_cents: 2400 }])).status).toBe(200);
    expect(await priceOf()).toEqual({ currency: "EUR", price_cents: 2400, is_converted: false });
    expect((await update([])).status).toBe(200);
  });

  test.each([
    [[{ currency: "USD", price_cents: 100 }]],
    [[{ currency: "ZAR", price_cents: 100 }]],
    [[{ currency: "KWD", price_cents: 7685 }]],
    [
      [
        { currency: "KWD", price_cents: 10 },
        { currency: "KWD", price_cents: 20 },
      ],
    ],
    [[{ currency: "KWD", price_cents: -10 }]],
  ])("prices such as %j are refused, and change nothing", async (prices) => {
    await switchOn("KWD", "0.307");
    const { token } = await server.signInAdmin();
    const answer = await server.call("/api/admin/plans/feather_scale", { method: "PUT", token, body: { prices } });
    expect(answer.status).toBe(400);
  });

  test("the free plan has no price of its own", async () => {
    await switchOn("KWD", "0.307");
    const { token } = await server.signInAdmin();
    const body = { prices: [{ currency: "KWD", price_cents: 0 }] };
    expect((await server.call("/api/admin/plans/feather_lite", { method: "PUT", token, body })).status).toBe(409);
  });
});

describe("an organization that pays in another currency", () => {
  test("a purchase is quoted, charged and invoiced in it, and posted in dollars at its rate", async () => {
    const who = await createPayer("EUR", "0.92");
    const preview = await server.preview(who, { plan_id: "feather_pro_plus" });
    expect(preview).toMatchObject({ currency: "EUR", total_due_now_cents: 2300 });
    await server.change(who, { plan_id: "feather_pro_plus", currency: "EUR" });
    const [invoice] = await server.invoices(who);
    expect(invoice).toMatchObject({ currency: "EUR", units_per_usd: "0.92", total_cents: 2300 });
    expect(await server.read(who, "/api/account/export")).toMatchObject({
      subscriptions: [{ currency: "EUR", price_cents: 2300 }],
      invoices: [{ currency: "EUR", total_cents: 2300 }],
    });
    const payment = await server.db
      .selectFrom("payments")
      .innerJoin("test_charges", "test_charges.idempotency_key", "payments.id")
      .select(["payments.currency", "test_charges.currency as charged", "test_charges.amount_cents"])
      .where("organization_id", "=", who.organizationId)
      .executeTakeFirstOrThrow();
    expect(payment).toEqual({ currency: "EUR", charged: "EUR", amount_cents: 2300 });
    const posted = await server.db
      .selectFrom("ledger_entries")
      .innerJoin("ledger_transactions", "ledger_transactions.id", "ledger_entries.transaction_id")
      .select("amount_nano_usd")
      .where("account", "=", "revenue:subscriptions")
      .where("reference", "=", `invoice:${invoice?.id}`)
      .executeTakeFirstOrThrow();
    expect(posted.amount_nano_usd).toBe("25000000000");
    const [mail] = await server.listMails(who.email);
    expect(mail?.body).toContain("Paid: €23.00");
    const page = await server.call(`/api/invoices/${invoice?.id}/page`, { token: who.key });
    expect(page.text).toContain("Total in EUR");
    expect(page.text).toContain("€23.00");
    expect(page.text).not.toContain("$");
  });

  test("a price that was shown in another currency is not charged", async () => {
    const who = await createPayer("JPY", "150");
    const refused = [
      await server.change(who, { plan_id: "feather_basic", currency: "USD" }),
      await server.post(who, "/api/subscription/checkout", { plan_id: "feather_basic", currency: "USD" }),
      await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 2500, currency: "USD" }),
    ];
    expect(refused.map((answer) => codeOf(answer))).toEqual(Array(3).fill("subscription.currency_changed"));
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("of two tabs that choose different currencies the last one counts, and the other buys nothing in it", async () => {
    await switchOn("EUR", "0.92");
    await switchOn("JPY", "150");
    const who = await server.createBuyer();
    const [eur, jpy] = await Promise.all([choose(who, "EUR"), choose(who, "JPY")]);
    expect([eur.status, jpy.status]).toEqual([200, 200]);
    const { currency } = await server.read<{ currency: string }>(who, "/api/organization/billing-details");
    const other = currency === "EUR" ? "JPY" : "EUR";
    expect(codeOf(await server.change(who, { plan_id: "feather_basic", currency: other }))).toBe(
      "subscription.currency_changed",
    );
    expect((await server.change(who, { plan_id: "feather_basic", currency })).status).toBe(200);
  });

  test("a checkout page that was opened in another currency buys nothing", async () => {
    await switchOn("EUR", "0.92");
    const who = await server.createBuyer(null);
    const { url } = (await server.post(who, "/api/subscription/checkout", { plan_id: "feather_basic" })).body as {
      url: string;
    };
    await choose(who, "EUR");
    const answer = await server.openPage(url, { card: CARDS.works });
    expect(answer.status).toBe(409);
    expect(await server.chargedCents(who)).toBe(0);
  });

  test("the currency stays while there is a plan, a kept balance, or a payment in progress", async () => {
    const who = await createPayer("EUR", "0.92");
    await server.change(who, { plan_id: "feather_scale" });
    expect(codeOf(await choose(who, "USD"))).toBe("currencies.fixed");
    expect((await choose(who, "EUR")).status).toBe(200);
    const { token } = await server.signInAdmin();
    const grant = { method: "PUT", token, body: { plan_id: "feather_lite" } };
    expect((await server.call(`/api/admin/users/${who.userId}`, grant)).status).toBe(200);
    const kept = await choose(who, "USD");
    expect([codeOf(kept), kept.text]).toEqual(["currencies.fixed", expect.stringContaining("€")]);

    const other = await createPayer("EUR", "0.92");
    await needConfirmation(other);
    await server.post(other, "/api/usage/credits/top-up", { amount_usd_cents: 2500 });
    expect((await choose(other, "USD")).status).toBe(409);
  });

  test("credits cost what the rate says, rounded up, and the invoice says both amounts and the rate", async () => {
    const who = await createPayer("JPY", "150.25");
    expect((await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 2500 })).status).toBe(201);
    const [invoice] = await server.invoices(who);
    expect(invoice).toMatchObject({ currency: "JPY", total_cents: 3757 });
    expect(invoice?.lines[0]?.description).toBe("Credits worth $25.00, at 150.25 JPY for 1 USD");
    expect((await server.api.credits.credits.balance(who.organizationId)).balance).toBe(25_000_000_000n);
  });

  test("a refund after the rate changed gives back what was paid, and leaves nothing in the ledger", async () => {
    const who = await createPayer("JPY", "151.3");
    const balanceOf = (account: "revenue:subscriptions" | "cash" | "adjustments") => server.api.ledger.balance(account);
    const before = [await balanceOf("revenue:subscriptions"), await balanceOf("cash"), await balanceOf("adjustments")];
    await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1999 });
    const [invoice] = await server.invoices(who);
    await switchOn("JPY", "97.7");
    for (const amount of [1, 777, undefined]) expect((await refund(invoice?.id ?? "", amount)).status).toBe(200);
    expect(await server.chargedCents(who)).toBe(0);
    expect((await server.api.credits.credits.balance(who.organizationId)).balance).toBe(0n);
    // Credits come from cash and return to adjustments; together nothing is left.
    const after = [await balanceOf("revenue:subscriptions"), await balanceOf("cash"), await balanceOf("adjustments")];
    const changes = after.map((balance, index) => balance - (before[index] ?? 0n));
    expect(changes).toEqual([0n, 0n, 0n]);
  });

  test("a purchase that waits for the bank keeps the rate at which it was quoted", async () => {
    const who = await createPayer("EUR", "0.9");
    await needConfirmation(who);
    const answer = await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });
    const { details } = JSON.parse((answer.body as { data: string }).data) as { details: { url: string } };
    await switchOn("EUR", "1.8");
    await server.openPage(details.url, { decision: "approve" });
    const [invoice] = await server.invoices(who);
    expect(invoice).toMatchObject({ currency: "EUR", units_per_usd: "0.9", total_cents: 900 });
    expect((await server.api.credits.credits.balance(who.organizationId)).balance).toBe(10_000_000_000n);
  });

  test("what is kept for the next invoices leaves nothing in the ledger when it is used at another rate", async () => {
    const who = await createPayer("EUR", "0.92");
    await server.change(who, { plan_id: "feather_basic" });
    server.clock.at += 7 * 86_400_000;
    const { token } = await server.signInAdmin();
    const change = (plan_id: string) =>
      server.call(`/api/admin/users/${who.userId}`, { method: "PUT", token, body: { plan_id } });
    await change("feather_lite");
    const kept = () => server.api.ledger.balance(`balance:${who.organizationId}`);
    expect(await kept()).toBeGreaterThan(0n);
    for (const rate of ["0.71", "1.13"]) {
      await switchOn("EUR", rate);
      await server.change(who, { plan_id: "feather_pro_plus" });
      expect(await kept()).toBe(0n);
      await change("feather_lite");
      expect(await kept()).toBeGreaterThan(0n);
    }
    expect(await verifyLedger(server.db)).toEqual([]);
  });

  test("a change of plan is prorated in whole yen", async () => {
    const who = await createPayer("JPY", "150");
    await server.change(who, { plan_id: "feather_basic" });
    server.clock.at += 10 * 86_400_000;
    const preview = await server.preview(who, { plan_id: "feather_scale" });
    expect(preview.lines.map(({ amount_cents }) => Number.isInteger(amount_cents))).toEqual([true, true]);
    await server.change(who, { plan_id: "feather_scale" });
    expect(await server.chargedCents(who)).toBe(1500 + preview.total_due_now_cents);
  });

  test("a dinar is charged and refunded in hundredths", async () => {
    const who = await createPayer("KWD", "0.307");
    await server.change(who, { plan_id: "feather_pro_plus" });
    server.clock.at += 3 * 86_400_000;
    await server.change(who, { plan_id: "feather_scale" });
    const invoices = await server.invoices(who);
    expect(invoices.flatMap(({ lines }) => lines).filter(({ amount_cents }) => amount_cents % 10 !== 0)).toEqual([]);
    const [latest] = invoices;
    expect((await refund(latest?.id ?? "", 15)).status).toBe(400);
    expect((await refund(latest?.id ?? "", 20)).status).toBe(200);
  });

  test("a coupon of a fixed amount takes off what it is worth at the rate", async () => {
    const who = await createPayer("JPY", "150");
    const { token } = await server.signInAdmin();
    const body = { code: "YEN5", amount_off_cents: 500, duration: "once" };
    await server.call("/api/admin/coupons", { method: "POST", token, body });
    const preview = await server.preview(who, { plan_id: "feather_pro_plus", coupon_code: "YEN5" });
    expect(preview).toMatchObject({ discount_cents: 750, total_due_now_cents: 3000 });
  });

  test("an announced price is that of the organization's currency", async () => {
    const { token } = await server.signInAdmin();
    const plan = (body: object) => server.call("/api/admin/plans/feather_basic", { method: "PUT", token, body });
    const who = await createPayer("EUR", "0.92");
    await server.change(who, { plan_id: "feather_basic" });
    await plan({ prices: [{ currency: "EUR", price_cents: 1234 }] });
    await server.call("/api/admin/plans/feather_basic/announce-price", { method: "POST", token });
    expect(await server.subscription(who)).toMatchObject({
      currency: "EUR",
      plan: { prices: [{ currency: "EUR", price_cents: 920, is_converted: false }] },
      price_change: { price_cents: 1234 },
    });
    await plan({ prices: [] });
  });

  test("the monthly limit of automatic payments is compared in dollars", async () => {
    const who = await createPayer("JPY", "150");
    const rule = { threshold_usd_cents: 500, amount_usd_cents: 2500, monthly_limit_usd_cents: 2500 };
    const set = (body: object) => server.call("/api/credits/auto-top-up", { method: "PUT", token: who.key, body });
    expect((await set(rule)).status).toBe(200);
    expect((await set({ ...rule, monthly_limit_usd_cents: 2499 })).status).toBe(400);
    const job = server.platform.jobs.find(({ name }) => name === "buy credits by automatic payments");
    await job?.run();
    expect(await server.read(who, "/api/credits/auto-top-up")).toMatchObject({ charged_this_month_usd_cents: 2500 });
    expect(await server.chargedCents(who)).toBe(3750);
  });

  test("a large amount in a small unit is charged and posted exactly", async () => {
    const who = await createPayer("LBP", "89500");
    expect((await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1_000_000 })).status).toBe(201);
    expect((await server.invoices(who))[0]).toMatchObject({ total_cents: 89_500_000_000 });
    expect((await server.api.credits.credits.balance(who.organizationId)).balance).toBe(10_000_000_000_000n);
  });
});
