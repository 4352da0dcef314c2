import { errorCode } from "@feather/testing/errors";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type BillingServer, type Buyer, CARDS, callConcurrently, createBillingServer } from "../../testing/billing.ts";
import { billingSettings } from "./billing.settings.ts";

let server: BillingServer;
const START = "2026-01-31T10:00:00Z";
beforeAll(async () => {
  server = await createBillingServer(START);
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

async function onPlan(plan_id: string, fields: object = {}) {
  server.clock.at = Date.parse(START);
  const who = await server.createBuyer();
  const answer = await server.change(who, { plan_id, ...fields });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  return who;
}
const periods = async (who: Buyer) =>
  (await server.invoices(who))
    .map(({ period_start_date, period_end_date, status }) => [
      period_start_date?.slice(0, 10),
      period_end_date?.slice(0, 10),
      status,
    ])
    .reverse();
/** Stores this many subscriptions that have been held for months, until the test is finished. */
async function holdSubscriptions(count: number): Promise<void> {
  const ids = Array.from({ length: count }, (_, index) => `held_${index}`);
  const since = new Date("2025-06-01T00:00:00Z");
  const subscription = { plan_id: "feather_basic", status: "active", billing_interval: "month", held_at: since };
  const period = { anchor_date: since, current_period_start_date: since, current_period_end_date: since };
  await server.db
    .insertInto("organizations")
    .values(ids.map((id) => ({ id, name: id })))
    .execute();
  await server.db
    .insertInto("subscriptions")
    .values(ids.map((id) => ({ id, organization_id: id, ...subscription, ...period })))
    .execute();
  onTestFinished(async () => {
    await server.db.updateTable("subscriptions").set({ ended_at: since }).where("id", "in", ids).execute();
  });
}
/** Makes the default card fail from now on. */
async function spoilCard(who: Buyer) {
  const { id } = (await server.addCard(who, CARDS.failsLater)).body as { id: string };
  await server.call(`/api/payment-methods/${id}`, { method: "PUT", token: who.key });
  return id;
}

describe("a subscription at the end of its period", () => {
  test("a subscription is renewed at the end of each month, never before and never twice", async () => {
    const who = await onPlan("feather_basic");
    await server.advanceTo("2026-02-28T09:59:59Z");
    expect(await server.chargedCents(who)).toBe(1000);
    await server.advanceTo("2026-02-28T10:00:00Z");
    await Promise.all(Array.from({ length: 10 }, () => server.billing.renewals.run()));
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(2000);
    await server.advanceTo("2026-03-31T10:00:00Z");
    expect(await periods(who)).toEqual([
      ["2026-01-31", "2026-02-28", "paid"],
      ["2026-02-28", "2026-03-31", "paid"],
      ["2026-03-31", "2026-04-30", "paid"],
    ]);
  });

  test("a subscription is renewed some days late after a downtime that is shorter than a period", async () => {
    const who = await onPlan("feather_pro_plus");
    await server.advanceTo("2026-03-20T00:00:00Z");
    expect(await periods(who)).toEqual([
      ["2026-01-31", "2026-02-28", "paid"],
      ["2026-02-28", "2026-03-31", "paid"],
    ]);
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(2 * 2500);
  });

  test("a subscription is held when it is more than one period behind, and charged only from when an admin resumes it", async () => {
    const who = await onPlan("feather_pro_plus");
    await server.advanceTo("2026-05-05T00:00:00Z");
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(2500);
    const { token } = await server.signInAdmin();
    const held = (await server.call("/api/admin/subscriptions/held", { token })).body as { items: { id: string }[] };
    const { id } = await server.subscription(who);
    expect(held.items.find((item) => item.id === id)).toMatchObject({
      organization_id: who.organizationId,
      current_period_end_date: "2026-02-28T10:00:00.000Z",
      held_at: "2026-05-05T00:00:00.000Z",
    });
    const path = `/api/admin/subscriptions/${id}/resume-renewal`;
    expect((await server.call(path, { method: "POST", token })).status).toBe(204);
    await server.runJobs();
    expect(await periods(who)).toEqual([
      ["2026-01-31", "2026-02-28", "paid"],
      ["2026-05-05", "2026-06-05", "paid"],
    ]);
    const again = await server.call(path, { method: "POST", token });
    expect([again.status, errorCode(again.body)]).toEqual([409, "subscription.not_held"]);
    expect((await server.call("/api/admin/subscriptions/held", { token: who.key })).status).toBe(404);
  });

  test("a subscription is renewed however many others are held", async () => {
    const who = await onPlan("feather_basic");
    await holdSubscriptions(500);
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(2000);
  });

  test("a subscription is not charged by a clock that is 70 days ahead for a minute, and keeps its period and prices", async () => {
    const who = await onPlan("feather_pro_plus");
    await server.advanceTo("2026-04-11T10:00:00Z");
    await server.runJobs();
    server.clock.at = Date.parse(START);
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(2500);
    expect(await server.preview(who, { plan_id: "feather_max" })).toMatchObject({ total_due_now_cents: 17_500 });
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(5000);
  });

  test("a subscription ends without an invoice when it was canceled, and is charged less after a scheduled change to a cheaper plan", async () => {
    const [canceled, cheaper] = [await onPlan("feather_pro_plus"), await onPlan("feather_pro_plus")];
    await server.call("/api/subscription", { method: "DELETE", token: canceled.key });
    await server.change(cheaper, { plan_id: "feather_basic" });
    await server.advanceStepwise("2026-05-05T00:00:00Z");
    expect(await server.subscription(canceled)).toMatchObject({ id: null });
    expect(await server.chargedCents(canceled)).toBe(2500);
    expect(await server.chargedCents(cheaper)).toBe(2500 + 3 * 1000);
  });

  test("a renewal is charged after the process died between invoice and charge", async () => {
    const who = await onPlan("feather_basic");
    server.clock.at = Date.parse("2026-02-28T10:00:00Z");
    const { renewals } = server.billing;
    const attempt = server.billing.dunning.attemptPayment;
    server.billing.dunning.attemptPayment = async () => {
      throw new Error("the process died here");
    };
    await renewals.run();
    server.billing.dunning.attemptPayment = attempt;
    expect(await periods(who)).toMatchObject([{}, ["2026-02-28", "2026-03-31", "open"]]);
    await server.runJobs();
    expect(await periods(who)).toMatchObject([{}, ["2026-02-28", "2026-03-31", "paid"]]);
    expect(await server.chargedCents(who)).toBe(2000);
  });

  test("a renewal is charged once when the process died between the charge and its response", async () => {
    const who = await onPlan("feather_basic");
    const card = await spoilCard(who);
    await server.advanceTo("2026-02-28T10:00:00Z");
    const [invoice] = await server.invoices(who);
    const [id, created_at] = [`pay_${who.userId}`, server.clock.now()];
    await server.db
      .insertInto("payments")
      .values({
        id,
        organization_id: who.organizationId,
        purpose: "invoice",
        invoice_id: invoice?.id ?? "",
        amount_cents: 1000,
        status: "pending",
        payment_method_id: card,
        driver: "test",
        is_test: true,
        created_at,
      })
      .execute();
    await server.db
      .insertInto("test_charges")
      .values({ idempotency_key: id, card: "x", amount_cents: 1000, status: "succeeded", created_at })
      .execute();
    await server.advanceTo("2026-03-01T10:00:00Z"); // the next attempt is due, and makes no second payment
    expect(await periods(who)).toMatchObject([{}, ["2026-02-28", "2026-03-31", "paid"]]);
    expect(await server.subscription(who)).toMatchObject({ status: "active" });
    expect(await server.chargedCents(who)).toBe(2000);
  });
});

describe("changes of prices and plans by an admin", () => {
  test("changes of prices and plans by an admin apply to new purchases and not to existing subscriptions", async () => {
    const admin = await server.signInAdmin();
    const plan = { id: "rising", name: "Rising", price_usd_cents: 1000 };
    await server.call("/api/admin/plans", { token: admin.token, body: plan });
    const who = await onPlan("rising");
    await server.call("/api/admin/plans/rising", {
      method: "PUT",
      token: admin.token,
      body: { price_usd_cents: 1500 },
    });
    expect(await server.chargedCents(who)).toBe(1000);
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(2000);
    const later = await onPlan("rising");
    expect(await server.chargedCents(later)).toBe(1500);
  });
});

describe("a card that is declined at a renewal", () => {
  test("a card that is declined at a renewal makes the subscription past due on its plan, is retried after 1, 3, 5 and 7 days and then ends it", async () => {
    const who = await onPlan("feather_basic");
    await spoilCard(who);
    const attempts: [string, string, string][] = [];
    for (const date of ["02-28T10", "03-01T09", "03-01T10", "03-03T10", "03-05T10", "03-07T10", "03-08T10"]) {
      await server.advanceTo(`2026-${date}:00:00Z`);
      const { status, plan } = await server.subscription(who);
      const { attempts: count } = await server.db
        .selectFrom("invoices")
        .select("attempts")
        .where("organization_id", "=", who.organizationId)
        .where("kind", "=", "period")
        .executeTakeFirstOrThrow();
      attempts.push([date, `${status} ${plan.id}`, String(count)]);
    }
    expect(attempts).toEqual([
      ["02-28T10", "past_due feather_basic", "1"],
      ["03-01T09", "past_due feather_basic", "1"],
      ["03-01T10", "past_due feather_basic", "2"],
      ["03-03T10", "past_due feather_basic", "3"],
      ["03-05T10", "past_due feather_basic", "4"],
      ["03-07T10", "active feather_lite", "5"],
      ["03-08T10", "active feather_lite", "5"],
    ]);
    expect(await periods(who)).toMatchObject([{}, ["2026-02-28", "2026-03-31", "uncollectible"]]);
    expect(await server.chargedCents(who)).toBe(1000);
    const kinds = (await server.listMails(who.email)).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === "payment_failed")).toHaveLength(4);
    expect(kinds).toContain("subscription_ended");
    expect((await server.change(who, { plan_id: "feather_basic" })).status).toBe(402);
  });

  test("retries of a declined card keep the days between attempts after a downtime in which several were missed", async () => {
    const who = await onPlan("feather_basic");
    await spoilCard(who);
    await server.advanceTo("2026-02-28T10:00:00Z");
    await server.advanceTo("2026-03-20T10:00:00Z");
    for (let run = 0; run < 6; run++) await server.runJobs();
    expect(await server.subscription(who)).toMatchObject({ status: "past_due", plan: { id: "feather_basic" } });
    for (const date of ["03-22T10", "03-24T10"]) {
      expect(await server.subscription(who)).toMatchObject({ status: "past_due" });
      await server.advanceTo(`2026-${date}:00:00Z`);
    }
    await server.advanceTo("2026-03-26T10:00:00Z");
    expect(await server.subscription(who)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
  });

  test("a declined card is replaced by another one at the next attempt or when the buyer pays the invoice", async () => {
    for (const byHand of [true, false]) {
      const who = await onPlan("feather_basic");
      await spoilCard(who);
      await server.advanceTo("2026-02-28T10:00:00Z");
      const refused = await server.change(who, { plan_id: "feather_pro_plus" });
      expect([refused.status, errorCode(refused.body)]).toEqual([409, "subscription.payment_due"]);
      const { id } = (await server.addCard(who, CARDS.works)).body as { id: string };
      await server.call(`/api/payment-methods/${id}`, { method: "PUT", token: who.key });
      const [open] = await server.invoices(who);
      if (byHand) {
        const counts = await callConcurrently(50, () => server.post(who, `/api/invoices/${open?.id}/pay`));
        expect(counts[200]).toBe(1);
        expect(Object.keys(counts)).toEqual(["200", "409"]);
      } else await server.advanceTo("2026-03-01T10:00:00Z");
      expect(await server.subscription(who)).toMatchObject({ status: "active", plan: { id: "feather_basic" } });
      expect(await server.chargedCents(who)).toBe(2000);
    }
  });

  test("a declined card is retried once by ten concurrent processes", async () => {
    const who = await onPlan("feather_basic");
    await spoilCard(who);
    await server.advanceTo("2026-02-28T10:00:00Z");
    server.clock.at = Date.parse("2026-03-01T10:00:00Z");
    await Promise.all(Array.from({ length: 10 }, () => server.billing.dunning.run()));
    const tries = server.db.selectFrom("payments").selectAll().where("organization_id", "=", who.organizationId);
    expect(await tries.where("purpose", "=", "invoice").execute()).toHaveLength(2);
  });

  test("a declined card can be confirmed by the link in the mail when the bank asks, and earlier links expire", async () => {
    const who = await onPlan("feather_basic");
    await server.db
      .updateTable("payment_methods")
      .set({ reference: "test:authenticates:x" })
      .where("organization_id", "=", who.organizationId)
      .execute();
    await server.advanceTo("2026-02-28T10:00:00Z");
    expect(await server.subscription(who)).toMatchObject({ status: "past_due" });
    const linkNow = async () => {
      const [mail] = (await server.listMails(who.email)).filter(({ kind }) => kind === "payment_failed");
      return /http\S+/.exec(mail?.body ?? "")?.[0] ?? "";
    };
    const first = await linkNow();
    await server.advanceTo("2026-03-01T10:00:00Z");
    const second = await linkNow();
    expect(second).not.toBe(first);
    expect((await server.openPage(first, { decision: "approve" })).status).toBe(404);
    expect((await server.openPage(second, { decision: "approve" })).status).toBe(303);
    expect(await server.subscription(who)).toMatchObject({ status: "active" });
    expect(await server.chargedCents(who)).toBe(2000);
  });

  test("canceling a subscription that is past due ends it at once, and its card is not retried", async () => {
    const who = await onPlan("feather_basic");
    await spoilCard(who);
    await server.advanceTo("2026-02-28T10:00:00Z");
    await server.call("/api/subscription", { method: "DELETE", token: who.key });
    expect(await server.subscription(who)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
    expect(await periods(who)).toMatchObject([{}, ["2026-02-28", "2026-03-31", "uncollectible"]]);
    await server.advanceTo("2026-03-20T10:00:00Z");
    expect(await server.chargedCents(who)).toBe(1000);
  });

  test("a renewal invoice that is paid late keeps the original periods", async () => {
    const who = await onPlan("feather_basic");
    const bad = await spoilCard(who);
    await server.advanceTo("2026-03-30T10:00:00Z"); // first attempt a month late, on the last day of the period
    await server.db.updateTable("payment_methods").set({ reference: "test:works:x" }).where("id", "=", bad).execute();
    await server.advanceTo("2026-03-31T11:00:00Z");
    await server.runJobs();
    expect(await periods(who)).toMatchObject([
      {},
      ["2026-02-28", "2026-03-31", "paid"],
      ["2026-03-31", "2026-04-30", "paid"],
    ]);
  });

  test("an unpaid renewal is written off once an admin put the organization on another plan", async () => {
    const who = await onPlan("feather_basic");
    await spoilCard(who);
    await server.advanceTo("2026-02-28T10:00:00Z");
    const admin = await server.signInAdmin();
    const granted = await server.call(`/api/admin/users/${who.userId}`, {
      method: "PUT",
      token: admin.token,
      body: { plan_id: "feather_max" },
    });
    expect([granted.status, granted.text]).toEqual([200, granted.text]);
    await server.advanceTo("2026-03-10T10:00:00Z");
    expect(await server.subscription(who)).toMatchObject({ status: "active", plan: { id: "feather_max" } });
    expect(await periods(who)).toMatchObject([{}, ["2026-02-28", "2026-03-31", "uncollectible"]]);
  });
});

test("deleting the account ends the subscription, keeps invoices and ledger, and stops all charges", async () => {
  const who = await onPlan("feather_pro_plus");
  const answer = await server.call("/api/account", { method: "DELETE", token: who.token, body: {} });
  expect(answer.status).toBe(204);
  await server.advanceTo("2026-06-01T00:00:00Z");
  const invoices = await server.db
    .selectFrom("invoices")
    .selectAll()
    .where("organization_id", "=", who.organizationId)
    .execute();
  expect(invoices).toMatchObject([{ status: "paid", total_cents: 2500 }]);
  expect(await server.chargedCents(who)).toBe(2500);
});

test("a payment that waits for confirmation is not kept when the account was deleted", async () => {
  server.clock.at = Date.parse(START);
  const who = await server.createBuyer(null);
  const card = await server.db
    .insertInto("payment_methods")
    .values({
      id: `pm_${who.userId}`,
      organization_id: who.organizationId,
      driver: "test",
      reference: "test:authenticates:x",
      fingerprint: who.userId,
      brand: "visa",
      last4: "3184",
      exp_month: 12,
      exp_year: 2030,
      is_default: true,
      is_test: true,
      created_at: server.clock.now(),
    })
    .executeTakeFirst();
  expect(card.numInsertedOrUpdatedRows).toBe(1n);
  const response = await server.change(who, { plan_id: "feather_basic" });
  expect(response.status).toBe(402);
  const { url } = (JSON.parse((response.body as { data: string }).data) as { details: { url: string } }).details;
  await server.call("/api/account", { method: "DELETE", token: who.token, body: {} });
  await server.openPage(url, { decision: "approve" });
  await server.runJobs();
  expect(await server.chargedCents(who)).toBe(0);
});

test("one run of the job handles all subscriptions that are due, also more than one query returns", async () => {
  server.clock.at = Date.parse(START);
  const ended = new Date(server.clock.at - 1000);
  await sql`insert into organizations (id, name) select 'org_many_' || n, 'Many' from generate_series(1, 1001) as n`.execute(
    server.db,
  );
  await sql`
    insert into subscriptions (id, organization_id, plan_id, status, current_period_start_date, current_period_end_date,
      cancel_at_period_end, anchor_date, price_cents)
    select 'sub_many_' || n, 'org_many_' || n, 'feather_basic', 'active', ${ended}::timestamptz - interval '1 month', ${ended},
      true, ${ended}::timestamptz - interval '1 month', 1000
    from generate_series(1, 1001) as n`.execute(server.db);
  await server.billing.renewals.run();
  const { open } = await server.db
    .selectFrom("subscriptions")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("id", "like", "sub_many_%")
    .where("ended_at", "is", null)
    .executeTakeFirstOrThrow();
  expect(open).toBe(0);
});

test("a run of the job begins no further renewal once the server stops", async () => {
  server.clock.at = Date.parse(START);
  const who = await onPlan("feather_basic");
  server.clock.at = Date.parse("2026-02-28T10:00:00Z");
  await server.billing.renewals.run(AbortSignal.abort());
  expect(await periods(who)).toHaveLength(1);
  await server.billing.renewals.run();
  expect(await periods(who)).toHaveLength(2);
});

describe("the days on which a declined card is charged again", () => {
  test.each([
    ["2,9", ["2026-03-02", "2026-03-09"]],
    ["none", []],
  ])("the days on which a declined card is charged again are the operator's: %s", async (days, dates) => {
    const own = await createBillingServer(START, { FEATHER_DUNNING_DAYS: days });
    const who = await own.createBuyer();
    await own.change(who, { plan_id: "feather_basic" });
    const { id } = (await own.addCard(who, CARDS.failsLater)).body as { id: string };
    await own.call(`/api/payment-methods/${id}`, { method: "PUT", token: who.key });
    await own.advanceTo("2026-02-28T10:00:00Z");
    for (const date of dates) {
      expect(await own.subscription(who)).toMatchObject({ status: "past_due" });
      await own.advanceTo(`${date}T10:00:00Z`);
    }
    expect(await own.subscription(who)).toMatchObject({ id: null, plan: { id: "feather_lite" } });
    await own.close();
  });

  test.each(["0,3", "3,3", "5,1", "1,61", "1, 3", "1;3", "1,2,3,4,5,6,7,8,9,10,11"])(
    "the days on which a declined card is charged again are refused: %s",
    (days) => {
      expect(billingSettings.retryDays.schema.safeParse(days).success).toBe(false);
    },
  );
});
