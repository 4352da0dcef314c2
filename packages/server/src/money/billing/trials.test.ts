import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SEED_PLANS } from "../../platform/core/db/seed/plans.ts";
import { type BillingServer, type Buyer, CARDS, callConcurrently, createBillingServer } from "../../testing/billing.ts";
import { normalizeEmail } from "./subscriptions/trials.ts";

let server: BillingServer;
const START = "2026-02-10T08:00:00Z";
beforeAll(async () => {
  server = await createBillingServer(START);
  const admin = await server.signInAdmin();
  await server.call("/api/admin/plans/feather_pro_plus", {
    method: "PUT",
    token: admin.token,
    body: { trial_days: 14 },
  });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

/** Test cards with the same number have the same fingerprint, so this counter makes a new number for each card. */
let cards = 0;
function newCard(): string {
  const body = `400000${String(10_000_000 + cards++).padStart(9, "0")}`;
  const sum = [...body].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
async function newcomer(email?: string, card: string | null = newCard()) {
  server.clock.at = Date.parse(START);
  return server.createBuyer(card, email);
}
const eligible = async (who: Buyer) =>
  (await server.read<{ trial_eligible: boolean }>(who, "/api/auth/trial-eligibility")).trial_eligible;

describe("a trial", () => {
  test("a trial costs nothing until it ends, and then becomes a paid plan", async () => {
    const who = await newcomer();
    expect(await eligible(who)).toBe(true);
    expect(await server.preview(who, { plan_id: "feather_pro_plus" })).toMatchObject({
      total_due_now_cents: 0,
      next_invoice_cents: 2500,
      next_invoice_date: "2026-02-24T08:00:00.000Z",
    });
    await server.change(who, { plan_id: "feather_pro_plus" });
    expect(await server.subscription(who)).toMatchObject({
      status: "trialing",
      plan: { id: "feather_pro_plus" },
      trial_end_date: "2026-02-24T08:00:00.000Z",
    });
    expect(await eligible(who)).toBe(false);
    expect(await server.chargedCents(who)).toBe(0);
    await server.advanceTo("2026-02-24T08:00:00Z");
    expect(await server.chargedCents(who)).toBe(2500);
    expect(await server.subscription(who)).toMatchObject({
      status: "active",
      current_period_end_date: "2026-03-24T08:00:00.000Z",
    });
  });

  test("a trial ends without a charge when it was canceled", async () => {
    const who = await newcomer();
    await server.change(who, { plan_id: "feather_pro_plus" });
    await server.call("/api/subscription", { method: "DELETE", token: who.key });
    await server.advanceTo("2026-03-24T08:00:00Z");
    expect(await server.chargedCents(who)).toBe(0);
    expect(await server.subscription(who)).toMatchObject({ id: null });
    const again = await server.change(who, { plan_id: "feather_pro_plus" });
    expect(again.status).toBe(200);
    expect(await server.chargedCents(who)).toBe(2500);
  });

  test("a trial can be skipped", async () => {
    const who = await newcomer();
    await server.change(who, { plan_id: "feather_pro_plus", trial: false });
    expect(await server.chargedCents(who)).toBe(2500);
    expect(await eligible(who)).toBe(false);
  });

  test("a trial is rejected without a charge when it is requested explicitly but not possible", async () => {
    const who = await newcomer();
    await server.change(who, { plan_id: "feather_pro_plus", trial: true });
    expect(await server.subscription(who)).toMatchObject({ status: "trialing" });
    const again = await newcomer(who.email.replace("@", "+x@"));
    for (const preview of [true, false]) {
      const answer = await server.change(again, { plan_id: "feather_pro_plus", trial: true, preview });
      expect([answer.status, errorCode(answer.body)]).toEqual([409, "subscription.trial_used"]);
    }
    expect(await server.chargedCents(again)).toBe(0);
  });

  test("a trial does not use up the months of a coupon, which begin when the trial ends", async () => {
    const { token } = await server.signInAdmin();
    const coupon = { code: "AFTER", duration: "repeating", months: 2, percent_off: 40 };
    await server.call("/api/admin/coupons", { token, body: coupon });
    const who = await newcomer();
    const planChange = { plan_id: "feather_pro_plus", coupon_code: "AFTER" };
    expect(await server.preview(who, planChange)).toMatchObject({ total_due_now_cents: 0, next_invoice_cents: 1500 });
    await server.change(who, planChange);
    await server.advanceStepwise("2026-04-24T08:00:00Z");
    expect(await server.chargedCents(who)).toBe(1500 + 1500 + 2500);
  });

  test("a trial requires a card", async () => {
    const who = await newcomer(undefined, null);
    const answer = await server.change(who, { plan_id: "feather_pro_plus" });
    expect([answer.status, errorCode(answer.body)]).toEqual([402, "payment_methods.required"]);
  });

  test.each([
    ["maria.lopez@gmail.com", "maria.lopez+two@gmail.com"],
    ["anna.b@gmail.com", "annab@googlemail.com"],
    ["kim@example.org", "kim+again@example.org"],
  ])("a trial is granted once to a person with the addresses %s and %s", async (first, alias) => {
    const one = await newcomer(first);
    await server.change(one, { plan_id: "feather_pro_plus" });
    const two = await newcomer(alias);
    expect(await eligible(two)).toBe(false);
    await server.change(two, { plan_id: "feather_pro_plus" });
    expect(await server.subscription(two)).toMatchObject({ status: "active" });
    expect(await server.chargedCents(two)).toBe(2500);
  });

  test("a trial is granted once per card, including a card of the purchase itself", async () => {
    const card = newCard();
    const one = await newcomer(undefined, card);
    await server.change(one, { plan_id: "feather_pro_plus" });
    const two = await newcomer(undefined, card);
    expect(await eligible(two)).toBe(false);
    const three = await newcomer();
    expect(await eligible(three)).toBe(true);
    const intent = (await server.post(three, "/api/payment-methods/setup-intent")).body as { id: string };
    await server.post(three, `/api/payment-methods/setup-intent/${intent.id}`, { test_card: card });
    const planChange = { plan_id: "feather_pro_plus", setup_intent: intent.id };
    const refused = await server.change(three, planChange);
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "subscription.trial_used"]);
    expect(await server.subscription(three)).toMatchObject({ id: null });
    expect((await server.change(three, { ...planChange, trial: false })).status).toBe(200);
    expect(await server.chargedCents(three)).toBe(2500);
  });

  test("a trial is granted once to fifty accounts that use one card at once", async () => {
    server.clock.at = Date.parse(START);
    const card = newCard();
    const all: Buyer[] = [];
    for (let index = 0; index < 50; index++) all.push(await server.createBuyer(null));
    await Promise.all(all.map((who) => server.addCard(who, card)));
    await callConcurrently(50, (index) => server.change(all[index] as Buyer, { plan_id: "feather_pro_plus" }));
    const states = await Promise.all(all.map((who) => server.subscription(who)));
    expect(states.filter(({ status }) => status === "trialing")).toHaveLength(1);
  });

  test("a trial is not granted again after the account was deleted", async () => {
    const card = newCard();
    const who = await newcomer("again@example.com", card);
    await server.change(who, { plan_id: "feather_pro_plus" });
    await server.call("/api/account", { method: "DELETE", token: who.token, body: {} });
    expect(await eligible(await newcomer("again@example.com"))).toBe(false);
    expect(await eligible(await newcomer("other@example.com", card))).toBe(false);
  });

  test("a trial is possible neither after a paid or granted plan nor with an unconfirmed address", async () => {
    const paid = await newcomer();
    await server.change(paid, { plan_id: "feather_basic" });
    expect(await eligible(paid)).toBe(false);
    const granted = await newcomer();
    const body = { plan_id: "feather_basic" };
    const { token } = await server.signInAdmin();
    const answer = await server.call(`/api/admin/users/${granted.userId}`, { method: "PUT", token, body });
    expect(answer.status).toBe(200);
    expect(await eligible(granted)).toBe(false);
    const unverified = await newcomer();
    const row = server.db.updateTable("users").set({ email_verified_at: null }).where("id", "=", unverified.userId);
    await row.execute();
    expect(await eligible(unverified)).toBe(false);
  });
});

test("no plan offers a trial while trials are switched off", async () => {
  const off = await createBillingServer(START, { FEATHER_TRIALS: "off" });
  const who = await off.createBuyer();
  await off.db.updateTable("plans").set({ trial_days: 7 }).execute();
  expect(await off.read(who, "/api/auth/trial-eligibility")).toEqual({ trial_eligible: false });
  const { items } = await off.read<{ items: { trial_days: number }[] }>(who, "/api/subscription/plans");
  expect(items.map(({ trial_days }) => trial_days)).toEqual(items.map(() => 0));
  await off.change(who, { plan_id: "feather_basic" });
  expect(await off.chargedCents(who)).toBe(1000);
  await off.close();
});

test("a new server offers a trial of Premium for seven days", () => {
  const offered = SEED_PLANS.filter(({ trial_days }) => trial_days);
  expect(offered.map(({ id, trial_days }) => [id, trial_days])).toEqual([["feather_pro_plus", 7]]);
});

test("no trial is offered while no plan has one", async () => {
  const plain = await createBillingServer(START);
  const who = await plain.createBuyer(CARDS.works);
  expect(await plain.read(who, "/api/auth/trial-eligibility")).toEqual({ trial_eligible: false });
  await plain.close();
});

test.each([
  ["Ma.Ria+news@GoogleMail.com", "maria@gmail.com"],
  ["a.b@example.com", "a.b@example.com"],
  ["a+b+c@example.com", "a@example.com"],
])("normalizes the e-mail address %s to %s for trials", (email, family) => {
  expect(normalizeEmail(email)).toBe(family);
});
