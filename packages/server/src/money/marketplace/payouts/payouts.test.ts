import { errorCode } from "@feather/testing/errors";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS } from "../../../platform/core/time.ts";
import { type BillingServer, type Buyer, createBillingServer } from "../../../testing/billing.ts";
import { createRandom } from "../../../testing/random.ts";
import { CENT, CENT_METER, createMeteredCalls, METERED_PLAN, type MeteredCalls } from "../testing/metered-calls.ts";

type Payout = {
  id: string;
  reference: string;
  amount_usd_cents: number;
  fee_usd_cents: number;
  reversed_at: string | null;
};
type Balance = { provider: string } & Record<string, string>;
type Payouts = { balances: Balance[]; items: Payout[] };

const PAYOUT = {
  provider: "aws",
  reference: "DISB 42",
  paid_on: "2026-03-09",
  amount_usd_cents: 70,
  fee_usd_cents: 5,
} as const;

let server: BillingServer;
let metered: MeteredCalls;
let token: string;
beforeAll(async () => {
  server = await createBillingServer("2026-03-10T10:00:00Z", { FEATHER_MARKETPLACES: "test" });
  metered = await createMeteredCalls(server, "aws");
  expect((await metered.setMeter({ dimension: "extra_usage", ...CENT_METER })).status).toBe(200);
});
beforeEach(async () => {
  ({ token } = await server.signInAdmin());
});
afterEach(() => server.verifyBooks());
afterAll(() => server.close());

const post = (path: string, body: object) =>
  server.call(`/api/admin/marketplace-payouts${path}`, { method: "POST", token, body });
const record = (change: object = {}) => post("", { ...PAYOUT, ...change });
const reverse = (id: string, reason = "Wrong month") => post(`/${id}/reverse`, { reason });
async function read(query = ""): Promise<Payouts> {
  const { status, body, text } = await server.call(`/api/admin/marketplace-payouts${query}`, { token });
  expect(status, text).toBe(200);
  return body as Payouts;
}
const balanceOf = async (provider: string) => (await read()).balances.find((one) => one.provider === provider);
const ledgerOf = async () => ({
  receivable: await server.api.ledger.balance("receivable:aws"),
  cash: await server.api.ledger.balance("cash"),
  fees: await server.api.ledger.balance("marketplace_fees"),
});
const linesOf = async (month: string) => {
  const response = await server.send(`/api/admin/accounting?kind=marketplace_payouts&month=${month}`, { token });
  return (await response.text()).split("\r\n").filter((line) => line !== "");
};

let counter = 0;
/** An organization whose plan was bought at the test driver, which may bill it up to 50 dollars a month. */
async function createCustomer(): Promise<Buyer> {
  const who = await server.createBuyer(null);
  const body = { provider: "aws", token: `test_buyer${++counter}_${METERED_PLAN}` };
  expect((await server.post(who, "/api/cloud-marketplace/subscribe", body)).status).toBe(201);
  expect((await metered.setLimit(who, 5000)).status).toBe(200);
  return who;
}
/** Lets an organization use as many cents beyond its credits, and the test driver accept them. */
async function useCents(cents: bigint): Promise<void> {
  await metered.call(await createCustomer(), cents * CENT);
  await metered.endHour();
}

describe("payouts of marketplaces", () => {
  test("nothing is owed before usage was metered, so no payout can be recorded", async () => {
    expect(await read()).toMatchObject({ balances: [], items: [] });
    const answer = await record();
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "marketplace.payout_too_high"]);
    expect(answer.text).toContain(
      "AWS Marketplace owes $0.00 for metered usage, and the payout with its fee is $0.75.",
    );
  });

  test("a payout makes what a marketplace owes smaller by what arrived and what it kept, and is posted once", async () => {
    await useCents(100n);
    expect(await balanceOf("aws")).toEqual({
      ...{ provider: "aws", accepted_usd: "1.00", paid_usd: "0.00", fee_usd: "0.00" },
      ...{ open_usd: "1.00", waiting_usd: "0.00" },
    });
    expect(await ledgerOf()).toEqual({ receivable: -100n * CENT, cash: 0n, fees: 0n });
    const answers = await Promise.all([record(), record(), record()]);
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201]);
    expect(new Set(answers.map(({ body }) => (body as Payout).id)).size).toBe(1);
    expect(await ledgerOf()).toEqual({ receivable: -25n * CENT, cash: -70n * CENT, fees: -5n * CENT });
    expect(await balanceOf("aws")).toMatchObject({ paid_usd: "0.70", fee_usd: "0.05", open_usd: "0.25" });
    expect((await read()).items).toMatchObject([{ ...PAYOUT, is_test: true, reversed_at: null }]);
  });

  test("a payout that is recorded with another day or amount is refused under the same reference", async () => {
    for (const change of [{ paid_on: "2026-03-08" }, { amount_usd_cents: 69 }, { fee_usd_cents: 4 }]) {
      const answer = await record(change);
      expect([answer.status, errorCode(answer.body)]).toEqual([409, "marketplace.payout_differs"]);
    }
    expect((await read()).items).toHaveLength(1);
  });

  test("a payout above what is open is refused, and one of all that is open is taken", async () => {
    const tooHigh = await record({ reference: "all", amount_usd_cents: 25, fee_usd_cents: 1 });
    expect([tooHigh.status, errorCode(tooHigh.body)]).toEqual([409, "marketplace.payout_too_high"]);
    expect((await record({ reference: "all", amount_usd_cents: 25, fee_usd_cents: 0 })).status).toBe(201);
    expect(await balanceOf("aws")).toMatchObject({ open_usd: "0.00" });
    expect((await ledgerOf()).receivable).toBe(0n);
  });

  test("of two payouts at the same time that together are above what is open, one is refused", async () => {
    await useCents(50n);
    const answers = await Promise.all(
      ["first", "second"].map((reference) => record({ reference, amount_usd_cents: 40 })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await balanceOf("aws")).toMatchObject({ open_usd: "0.05" });
  });

  test("usage that the marketplace has not accepted yet waits, and cannot be paid out", async () => {
    await metered.call(await createCustomer(), 200n * CENT);
    expect(await balanceOf("aws")).toMatchObject({ open_usd: "0.05", waiting_usd: "2.00" });
    expect(errorCode((await record({ reference: "early", amount_usd_cents: 200 })).body)).toBe(
      "marketplace.payout_too_high",
    );
    await metered.endHour();
    expect(await balanceOf("aws")).toMatchObject({ open_usd: "2.05", waiting_usd: "0.00" });
  });

  test("a reversal opens what the payout covered, once, and its reference can be recorded again", async () => {
    const before = await ledgerOf();
    const [payout] = (await read()).items.filter(({ reference }) => reference === PAYOUT.reference);
    const id = payout?.id ?? "";
    expect((await reverse(id)).body).toMatchObject({ id, reversal_reason: "Wrong month" });
    expect((await reverse(id, "Again")).body).toMatchObject({ id, reversal_reason: "Wrong month" });
    expect(await ledgerOf()).toEqual({
      receivable: before.receivable - 75n * CENT,
      cash: before.cash + 70n * CENT,
      fees: before.fees + 5n * CENT,
    });
    expect((await record({ amount_usd_cents: 71 })).status).toBe(201);
    const again = (await read()).items.filter(({ reference }) => reference === PAYOUT.reference);
    expect(again.map(({ reversed_at }) => reversed_at !== null).toSorted()).toEqual([false, true]);
  });

  test("the export for accounting has payouts on their day, and reversals on theirs, below zero", async () => {
    server.clock.at = Date.parse("2026-04-02T10:00:00Z");
    ({ token } = await server.signInAdmin());
    await useCents(100n);
    const { id } = (await record({ reference: "March", paid_on: "2026-03-31", amount_usd_cents: 90 })).body as Payout;
    await reverse(id, "=1+1");
    expect((await linesOf("2026-04")).slice(1)).toEqual([
      `${id},2026-04-02,reversal,aws,March,-0.9,-0.05,-0.95,2026-03-31,2026-04-02,'=1+1,true`,
    ]);
    const march = await linesOf("2026-03");
    expect(march[0]).toBe(
      "id,date,entry,marketplace,reference,amount_usd,fee_usd,total_usd,paid_date,recorded_date,reversal_reason,is_test",
    );
    expect(march).toContain(`${id},2026-03-31,payout,aws,March,0.9,0.05,0.95,2026-03-31,2026-04-02,,true`);
    expect(await linesOf("2026-02")).toHaveLength(1);
  });

  test("the report of revenue counts metered usage in the month of its hour, separately from plans", async () => {
    const { body } = await server.call("/api/admin/revenue?months=3", { token });
    expect(body).toMatchObject({
      is_metered_test: true,
      months: [
        { month: "2026-04", metered_usd_cents: 100, plan_usd_cents: 0, credits_usd_cents: 0 },
        { month: "2026-03", metered_usd_cents: 350, plan_usd_cents: 0, credits_usd_cents: 0 },
        { month: "2026-02", metered_usd_cents: 0 },
      ],
    });
  });

  test("the audit log has who recorded and reversed payouts", async () => {
    const { body } = await server.call("/api/admin/audit?per_page=100", { token });
    const actions = (body as { items: { action: string }[] }).items.map(({ action }) => action);
    expect(actions.filter((action) => action === "marketplace.record_payout")).toHaveLength(5);
    expect(actions.filter((action) => action === "marketplace.reverse_payout")).toHaveLength(2);
  });

  test.each([
    ["a day after tomorrow", { paid_on: "2026-04-04" }],
    ["a day that there is not", { paid_on: "2026-02-30" }],
    ["no amount", { amount_usd_cents: 0, fee_usd_cents: 0 }],
    ["an amount below zero", { amount_usd_cents: -1 }],
    ["a fee with a fraction of a cent", { fee_usd_cents: 0.5 }],
    ["an empty reference", { reference: "" }],
    ["a reference that ends with a space", { reference: "DISB " }],
    ["a marketplace that is none", { provider: "shop" }],
  ])("a payout with %s is refused, and nothing is recorded", async (_what, change) => {
    server.clock.at = Date.parse("2026-04-02T20:00:00Z");
    ({ token } = await server.signInAdmin());
    const before = await read();
    expect((await record({ reference: "bad", ...change })).status).toBe(400);
    expect(await read()).toEqual(before);
  });

  test("payouts are listed by marketplace, page by page, the latest first", async () => {
    expect((await read("?provider=gcp")).items).toEqual([]);
    const all = (await read("?provider=aws")).items.map(({ id }) => id);
    const pages = await Promise.all([1, 2].map((page) => read(`?page=${page}&per_page=3`)));
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(all.slice(0, 6));
  });

  test("a payout that there is not cannot be reversed", async () => {
    const answer = await reverse("mpo_none");
    expect([answer.status, errorCode(answer.body)]).toEqual([404, "marketplace.payout_not_found"]);
  });

  test("payouts are for admins", async () => {
    const who = await server.createBuyer(null);
    const path = "/api/admin/marketplace-payouts";
    expect((await server.call(path, { token: who.key })).status).toBe(404);
    expect((await server.call(path, { method: "POST", token: who.key, body: PAYOUT })).status).toBe(404);
  });

  test("payouts of tests count nowhere among others", async () => {
    server.clock.at += DAY_MS;
    ({ token } = await server.signInAdmin());
    await server.db
      .insertInto("metered_usage")
      .values({
        ...{ id: "mus_real", organization_id: "org_x", provider: "gcp", reference: "r", usage_id: "r", offer: "o" },
        ...{ dimension: "d", hour: server.clock.now(), started_at: server.clock.now(), ended_at: server.clock.now() },
        ...{ units: 100, unit_price_nano_usd: String(CENT), status: "accepted", is_test: false },
      })
      .execute();
    expect(await balanceOf("gcp")).toBeUndefined();
    expect(errorCode((await record({ provider: "gcp" })).body)).toBe("marketplace.payout_too_high");
    await server.db.deleteFrom("metered_usage").where("id", "=", "mus_real").execute();
  });
});

test("whatever is used, paid out and reversed in whatever order, all accounts sum to zero and no more is paid than accepted", async () => {
  const random = createRandom(20_261_130);
  const owed = await balanceOf("aws");
  const customers = await Promise.all([1, 2, 3].map(() => createCustomer()));
  let [used, paid, reference] = [0n, 0n, 0];
  const actions = [
    async () => {
      const cents = BigInt(random.integer(1, 120));
      await metered.call(random.pick(customers), cents * CENT);
      used += cents;
    },
    () => metered.endHour(),
    async () => {
      const [amount_usd_cents, fee_usd_cents] = [random.integer(0, 80), random.integer(0, 5)];
      const answer = await record({ reference: `random ${++reference}`, amount_usd_cents, fee_usd_cents });
      if (answer.status === 201) paid += BigInt(amount_usd_cents + fee_usd_cents);
      else expect([400, 409]).toContain(answer.status);
    },
    async () => {
      const open = (await read("?per_page=100")).items.filter(
        (one) => one.reversed_at === null && one.reference.startsWith("random"),
      );
      if (open.length === 0) return;
      const { id, amount_usd_cents, fee_usd_cents } = random.pick(open);
      expect((await reverse(id)).status).toBe(200);
      paid -= BigInt(amount_usd_cents + fee_usd_cents);
    },
  ];
  for (let step = 1; step <= 60; step++) {
    await random.pick(actions)();
    if (step % 10 === 0) await server.verifyBooks();
    const balance = await balanceOf("aws");
    expect(Number(balance?.open_usd)).toBeGreaterThanOrEqual(0);
  }
  await metered.endHour();
  const left = toCents((await balanceOf("aws"))?.open_usd) - toCents(owed?.open_usd);
  expect(left).toBe(used - paid);
  expect((await ledgerOf()).receivable).toBe(-toCents((await balanceOf("aws"))?.open_usd) * CENT);
});

const toCents = (usd = "0.00"): bigint => BigInt(usd.replace(".", ""));
