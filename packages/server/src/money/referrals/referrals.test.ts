import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type BillingServer, type Buyer, callConcurrently, createBillingServer } from "../../testing/billing.ts";
import { PASSWORD } from "../../testing/server.ts";

let server: BillingServer;
const START = "2026-01-10T09:00:00Z";
beforeAll(async () => {
  server = await createBillingServer(START);
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

let cards = 0;
/** Returns a card that nobody else has. */
function newCard(): string {
  const body = `400000${String(20_000_000 + cards++).padStart(9, "0")}`;
  const sum = [...body].reverse().reduce((total, character, index) => {
    const digit = Number(character) * (index % 2 === 0 ? 2 : 1);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return body + String((10 - (sum % 10)) % 10);
}
async function somebody(email?: string) {
  server.clock.at = Date.parse(START);
  return server.createBuyer(newCard(), email);
}
type Summary = Record<"earned_nano_usd" | "held_nano_usd" | "available_nano_usd" | "paid_out_nano_usd", string> & {
  referred: boolean;
  referred_count: number;
  paying_count: number;
  method: string;
};
type List = { items: object[]; pagination: { total_items: number } };
const codeFor = async (who: Buyer) => (await server.read<{ code: string }>(who, "/api/account/referral/code")).code;
const say = (who: Buyer, code: string) => server.post(who, "/api/account/referrer", { code });
const summary = (who: Buyer) => server.read<Summary>(who, "/api/account/referral");
const credits = async (who: Buyer) => (await server.api.credits.credits.balance(who.organizationId)).balance;
const DOLLAR = 1_000_000_000n;

async function referred(referrer: Buyer) {
  const friend = await somebody();
  expect((await say(friend, await codeFor(referrer))).status).toBe(204);
  return friend;
}
async function affiliate() {
  const who = await somebody();
  const admin = await server.signInAdmin();
  const path = `/api/admin/users/${who.userId}/referral-reward`;
  const made = await server.call(path, { method: "PUT", token: admin.token, body: { method: "commission" } });
  expect([made.status, made.body]).toEqual([200, { method: "commission" }]);
  return who;
}

describe("a referral code", () => {
  test("a referral code has eight unambiguous letters and digits, is stable, and is part of the link", async () => {
    const who = await somebody();
    const answer = await server.read<{ code: string; url: string }>(who, "/api/account/referral/code");
    expect(answer.code).toMatch(/^[A-Z2-9]{8}$/);
    expect(answer.url).toBe(`${server.platform.publicUrl}/register?referrer=${answer.code}`);
    const again = await Promise.all(Array.from({ length: 20 }, () => codeFor(who)));
    expect(new Set([answer.code, ...again]).size).toBe(1);
  });

  test("a referral code is created once by fifty concurrent first reads", async () => {
    const who = await somebody();
    expect(new Set(await Promise.all(Array.from({ length: 50 }, () => codeFor(who)))).size).toBe(1);
  });
});

describe("setting the referrer", () => {
  test("setting the referrer succeeds once in fifty attempts with two codes, and cannot be changed", async () => {
    const [one, two, friend] = [await somebody(), await somebody(), await somebody()];
    const codes = [await codeFor(one), await codeFor(two)];
    const counts = await callConcurrently(50, (index) => say(friend, codes[index % 2] ?? ""));
    expect(counts).toEqual({ 204: 1, 409: 49 });
    const first = (await summary(one)).referred_count === 1 ? one : two;
    const refused = await say(friend, codes[first === one ? 1 : 0] ?? "");
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "referrals.already_set"]);
    expect((await summary(one)).referred_count + (await summary(two)).referred_count).toBe(1);
    expect([(await summary(friend)).referred, (await summary(one)).referred]).toEqual([true, false]);
  });

  test("setting the referrer is rejected when the two would refer each other, in sequence and concurrently", async () => {
    const [one, two] = [await somebody(), await somebody()];
    expect((await say(one, await codeFor(two))).status).toBe(204);
    const back = await say(two, await codeFor(one));
    expect([back.status, errorCode(back.body)]).toEqual([409, "referrals.mutual"]);
    for (let round = 0; round < 10; round++) {
      const pair = [await somebody(), await somebody()] as const;
      const codes = [await codeFor(pair[1]), await codeFor(pair[0])] as const;
      expect(await callConcurrently(2, (index) => say(pair[index === 0 ? 0 : 1], codes[index === 0 ? 0 : 1]))).toEqual({
        204: 1,
        409: 1,
      });
    }
  });

  test("setting the referrer accepts the code in lower case and with surrounding spaces", async () => {
    const [referrer, friend] = [await somebody(), await somebody()];
    expect((await say(friend, ` ${(await codeFor(referrer)).toLowerCase()} `)).status).toBe(204);
  });

  test.each(["NOSUCH22", "", "x", "AAAAAAA1", "' OR 1=1 --", "\u0000", "a".repeat(65), "４PUP８PVP"])(
    "setting the referrer is refused for a code that is none: %j",
    async (code) => {
      const answer = await say(await somebody(), code);
      expect([400, 404]).toContain(answer.status);
      if (answer.status === 404) expect(errorCode(answer.body)).toBe("referrals.unknown_code");
    },
  );

  test("setting the referrer is rejected for oneself, and says why: own account, same address, organization or card", async () => {
    const who = await somebody("self.one@gmail.com");
    const code = await codeFor(who);
    const alias = await somebody("selfone+friend@googlemail.com");
    const sameCard = await somebody();
    const card = newCard();
    await server.addCard(who, card);
    await server.addCard(sameCard, card);
    const colleague = await somebody();
    await server.db
      .insertInto("memberships")
      .values({ user_id: colleague.userId, organization_id: who.organizationId, role: "viewer" })
      .execute();
    for (const [other, reason] of [
      [who, /^This is your own code, .* no reward\. Send it to a friend/],
      [alias, /has your e-mail address, .* no reward\. Go on without the code/],
      [sameCard, /have had the same card, .* no reward\. Go on without the code, or enter it in an account/],
      [colleague, /are in one organization, .* no reward\. Go on without the code/],
    ] as const) {
      const answer = await say(other, code);
      expect([answer.status, errorCode(answer.body)]).toEqual([400, "referrals.self_referral"]);
      expect((answer.body as { message: string }).message).toMatch(reason);
    }
    expect((await summary(who)).referred_count).toBe(0);
  });

  test("setting the referrer is rejected after 30 days and after the first payment", async () => {
    const code = await codeFor(await somebody());
    const [late, paid] = [await somebody(), await somebody()];
    await server.change(paid, { plan_id: "feather_basic" });
    const afterPayment = await say(paid, code);
    expect([afterPayment.status, errorCode(afterPayment.body)]).toEqual([409, "referrals.after_payment"]);
    server.clock.at = Date.parse(START) + 30 * DAY_MS + 1000;
    const tooLate = await say(late, code);
    expect([tooLate.status, errorCode(tooLate.body)]).toEqual([409, "referrals.too_late"]);
    server.clock.at = Date.parse(START) + 30 * DAY_MS - 1000;
    expect((await say(late, code)).status).toBe(204);
  });

  test("setting the referrer happens at registration, which an invalid code does not prevent", async () => {
    const referrer = await somebody();
    const body = (email: string, code: string) => ({
      email,
      password: PASSWORD,
      state: server.api.identity.states.write({ returnTo: null, referrer: code, utm: {} }),
    });
    const registered = await server.call("/api/auth/register", {
      body: body("came@example.com", await codeFor(referrer)),
    });
    const stray = await server.call("/api/auth/register", { body: body("stray@example.com", "NOSUCH22") });
    expect([registered.status, stray.status]).toEqual([201, 201]);
    expect(await summary(referrer)).toMatchObject({ referred_count: 1, paying_count: 0 });
  });
});

describe("credits for a friend", () => {
  test("credits for a friend are granted to both sides with the first payment only", async () => {
    const referrer = await somebody();
    const friend = await referred(referrer);
    expect(await summary(referrer)).toMatchObject({ method: "credits", percent: null, amount_nano_usd: "5000000000" });
    await server.change(friend, { plan_id: "feather_basic" });
    await server.post(friend, "/api/usage/credits/top-up", { amount_usd_cents: 500 });
    await server.advanceTo("2026-03-10T09:00:00Z");
    expect([await credits(referrer), await credits(friend)]).toEqual([5n * DOLLAR, 10n * DOLLAR]);
    expect(await summary(referrer)).toMatchObject({
      referred_count: 1,
      paying_count: 1,
      earned_nano_usd: "5000000000",
      held_nano_usd: "0",
    });
    expect(await summary(friend)).toMatchObject({ earned_nano_usd: "0" });
  });

  test("credits for a friend are not granted for a purchase that cost nothing", async () => {
    const referrer = await somebody();
    const friend = await referred(referrer);
    const admin = await server.signInAdmin();
    const coupon = { code: "FREE1", duration: "once", percent_off: 100 };
    await server.call("/api/admin/coupons", { token: admin.token, body: coupon });
    await server.change(friend, { plan_id: "feather_basic", coupon_code: "FREE1" });
    expect([await credits(referrer), await credits(friend)]).toEqual([0n, 0n]);
  });

  test("credits for a friend are not granted when the friend ever pays with the referrer's card", async () => {
    const referrer = await somebody();
    const friend = await referred(referrer);
    const card = newCard();
    await server.addCard(referrer, card);
    await server.addCard(friend, card);
    await server.change(friend, { plan_id: "feather_basic" });
    expect([await credits(referrer), await credits(friend)]).toEqual([0n, 0n]);
    expect(await summary(referrer)).toMatchObject({ paying_count: 0, earned_nano_usd: "0" });
  });

  test("credits for a friend are revoked as far as available when the whole payment is refunded", async () => {
    const referrer = await somebody();
    const friend = await referred(referrer);
    await server.change(friend, { plan_id: "feather_basic" });
    const used = {
      kind: "grant",
      source: "revenue:usage",
      description: "used",
      reference: `u:${friend.userId}`,
    } as const;
    await server.api.credits.credits.grant(friend.organizationId, -3n * DOLLAR, used);
    const [invoice] = await server.invoices(friend);
    const admin = await server.signInAdmin();
    const path = `/api/admin/invoices/${invoice?.id}/refund`;
    await server.call(path, { token: admin.token, body: { amount_cents: 400 } });
    expect(await credits(referrer)).toBe(5n * DOLLAR);
    await server.call(path, { token: admin.token, body: {} });
    expect([await credits(referrer), await credits(friend)]).toEqual([0n, 0n]);
    expect(await summary(referrer)).toMatchObject({ earned_nano_usd: "0" });
    await server.verifyBooks();
  });
});

describe("commission of an affiliate", () => {
  test("commission of an affiliate is a fifth of what friends pay in twelve months, held for 30 days", async () => {
    const who = await affiliate();
    const friend = await referred(who);
    await server.change(friend, { plan_id: "feather_pro_plus" });
    expect(await summary(who)).toMatchObject({
      method: "commission",
      percent: 20,
      amount_nano_usd: null,
      earned_nano_usd: "5000000000",
      held_nano_usd: "5000000000",
      available_nano_usd: "0",
    });
    expect(await credits(friend)).toBe(0n);
    await server.advanceTo("2026-02-09T08:59:59Z");
    expect(await summary(who)).toMatchObject({ available_nano_usd: "0" });
    await server.advanceTo("2026-02-09T09:00:00Z");
    expect(await summary(who)).toMatchObject({ held_nano_usd: "0", available_nano_usd: "5000000000" });
    await server.advanceStepwise("2027-03-20T00:00:00Z");
    // The twelve invoices from January to December earn commission; those of the second year do not.
    expect(await summary(who)).toMatchObject({ earned_nano_usd: "60000000000", held_nano_usd: "0" });
  });

  test("commission of an affiliate is released once by ten concurrent runs, including what was missed", async () => {
    const who = await affiliate();
    await server.change(await referred(who), { plan_id: "feather_basic" });
    server.clock.at += 90 * DAY_MS;
    const job = server.platform.jobs.find(({ name }) => name === "release commission");
    await Promise.all(Array.from({ length: 10 }, () => job?.run()));
    expect(await summary(who)).toMatchObject({ available_nano_usd: "2000000000" });
  });

  test("commission of an affiliate is reduced in proportion to refunds, before and after its release", async () => {
    const who = await affiliate();
    const friend = await referred(who);
    await server.change(friend, { plan_id: "feather_pro_plus" });
    const [invoice] = await server.invoices(friend);
    const refund = async (body: object) =>
      server.call(`/api/admin/invoices/${invoice?.id}/refund`, { token: (await server.signInAdmin()).token, body });
    await refund({ amount_cents: 500 });
    expect(await summary(who)).toMatchObject({ held_nano_usd: "4000000000" });
    server.clock.at += 31 * DAY_MS;
    await server.platform.jobs.find(({ name }) => name === "release commission")?.run();
    expect(await summary(who)).toMatchObject({ available_nano_usd: "4000000000" });
    await refund({ amount_cents: 1000 });
    expect(await summary(who)).toMatchObject({ available_nano_usd: "2000000000", earned_nano_usd: "2000000000" });
    await refund({});
    expect(await summary(who)).toMatchObject({ available_nano_usd: "0", earned_nano_usd: "0" });
    await server.verifyBooks();
  });

  test("commission of an affiliate is never released when all of it was reversed while held", async () => {
    const who = await affiliate();
    const friend = await referred(who);
    await server.change(friend, { plan_id: "feather_basic" });
    const [invoice] = await server.invoices(friend);
    const admin = await server.signInAdmin();
    await server.call(`/api/admin/invoices/${invoice?.id}/refund`, { method: "POST", token: admin.token });
    server.clock.at += 31 * DAY_MS;
    await server.platform.jobs.find(({ name }) => name === "release commission")?.run();
    expect(await summary(who)).toMatchObject({ available_nano_usd: "0", held_nano_usd: "0" });
  });

  test("commission of an affiliate is reversed when the affiliate's account was deleted, and the friend's payments continue", async () => {
    const who = await affiliate();
    const friend = await referred(who);
    await server.change(friend, { plan_id: "feather_basic" });
    await server.call("/api/account", { method: "DELETE", token: who.token, body: {} });
    server.clock.at += 31 * DAY_MS;
    await server.runJobs();
    const rewards = server.db.selectFrom("referral_rewards").selectAll();
    const rows = await rewards.where("beneficiary_user_id", "=", who.userId).execute();
    expect(rows).toMatchObject([{ status: "reversed" }]);
    expect(await server.api.ledger.balance(`commission:${who.organizationId}`)).toBe(0n);
    expect(await server.chargedCents(friend)).toBe(2000);
  });

  test("commission of an affiliate is paid out in full from 50 dollars on, once in fifty concurrent attempts", async () => {
    const who = await affiliate();
    const payOut = (headers: Record<string, string> = {}) =>
      server.post(who, "/api/account/referral/payout", undefined, headers);
    const none = await payOut();
    expect([none.status, errorCode(none.body)]).toEqual([409, "referrals.payout_minimum"]);
    const friend = await referred(who);
    await server.change(friend, { plan_id: "feather_scale", quantity: 3 });
    server.clock.at += 31 * DAY_MS;
    await server.platform.jobs.find(({ name }) => name === "release commission")?.run();
    expect(await callConcurrently(50, () => payOut())).toEqual({ 201: 1, 409: 49 });
    expect(await summary(who)).toMatchObject({ available_nano_usd: "0", paid_out_nano_usd: "60000000000" });
    expect(await server.api.ledger.balance(`commission:${who.organizationId}`)).toBe(0n);
  });

  test("commission of an affiliate is paid out once per idempotency key, also when the response was lost", async () => {
    const who = await affiliate();
    await server.change(await referred(who), { plan_id: "feather_scale", quantity: 3 });
    server.clock.at += 31 * DAY_MS;
    await server.platform.jobs.find(({ name }) => name === "release commission")?.run();
    const headers = { "idempotency-key": "payout" };
    const payOut = () => server.post(who, "/api/account/referral/payout", undefined, headers);
    const first = await payOut();
    expect([first.status, first.body]).toEqual([201, { amount_nano_usd: "60000000000", is_test: true }]);
    await server.db.deleteFrom("idempotency_keys").execute();
    expect((await payOut()).body).toEqual(first.body);
    expect(await summary(who)).toMatchObject({ paid_out_nano_usd: "60000000000" });
  });

  test("commission of an affiliate is listed by reward and payout to the affiliate", async () => {
    const [who, other] = [await affiliate(), await affiliate()];
    const friend = await referred(who);
    await server.change(friend, { plan_id: "feather_scale", quantity: 3 });
    const day = new Date(server.clock.at).toISOString();
    const rewards = (of: Buyer) => server.read<List>(of, "/api/account/referral/rewards?perPage=1");
    const held = { method: "commission", amount_nano_usd: "60000000000", status: "held", created_at: day };
    expect(await rewards(who)).toMatchObject({
      items: [{ ...held, release_at: new Date(server.clock.at + 30 * DAY_MS).toISOString(), settled_at: null }],
      pagination: { total_items: 1, per_page: 1 },
    });
    server.clock.at += 31 * DAY_MS;
    await server.platform.jobs.find(({ name }) => name === "release commission")?.run();
    const released = { status: "released", settled_at: new Date(server.clock.at).toISOString() };
    expect((await rewards(who)).items).toMatchObject([released]);
    expect((await rewards(friend)).items).toEqual([]);
    await server.post(who, "/api/account/referral/payout");
    const payouts = (of: Buyer) => server.read<List>(of, "/api/account/referral/payout");
    expect((await payouts(who)).items).toMatchObject([{ amount_nano_usd: "60000000000", is_test: true }]);
    for (const list of [await rewards(other), await payouts(other)]) expect(list.items).toEqual([]);
  });

  test("commission of an affiliate can be enabled for a user by admins only", async () => {
    const who = await somebody();
    const path = `/api/admin/users/${who.userId}/referral-reward`;
    const body = { method: "commission" };
    expect((await server.call(path, { method: "PUT", token: who.token, body })).status).toBe(404);
    const { token } = await server.signInAdmin();
    const unknown = "/api/admin/users/usr_none/referral-reward";
    expect((await server.call(unknown, { method: "PUT", token, body })).status).toBe(404);
    expect((await server.call(path, { method: "PUT", token, body: { method: "gold" } })).status).toBe(400);
    expect(await summary(who)).toMatchObject({ method: "credits" });
  });
});
