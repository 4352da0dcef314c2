import { type FakeVies, startFakeVies } from "@feather/testing/fake-vies";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../platform/core/time.ts";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";

const PATH = "/api/organization/billing-details";
const SELLER = { name: "Plume SA", address: "Quai 1\n75001 Paris", country: "FR", vat_id: "FR32123456789" };
const VAT_ID = "DE136695976";

type Check = { state: string; answered_at: string | null; consultation_number: string | null };

let vies: FakeVies;
let server: BillingServer;
beforeAll(async () => {
  vies = await startFakeVies();
  server = await createBillingServer("2026-03-01T00:00:00Z", {
    FEATHER_SELLER: JSON.stringify(SELLER),
    FEATHER_TAX_PERCENT: "20",
    FEATHER_VIES: "on",
    FEATHER_VIES_URL: vies.url,
    FEATHER_OUTGOING_ALLOW: "127.0.0.1",
  });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
  await vies.close();
});
beforeEach(async () => {
  await server.db.deleteFrom("vat_id_checks").execute();
  await server.db.deleteFrom("billing_details").execute();
  vies.replies.clear();
});

const update = (who: Buyer, body: object) => server.call(PATH, { method: "PUT", token: who.key, body });
const readCheck = async (who: Buyer) => (await server.read<{ vat_id_check: Check }>(who, PATH)).vat_id_check;
const topUp = (who: Buyer) => server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });
function advance(ms: number) {
  server.clock.at += ms;
}
async function runJob() {
  await server.platform.jobs.find(({ name }) => name === "check VAT ids at VIES")?.run();
}

/** A business in Germany whose id was saved just now. */
async function createBusiness(): Promise<Buyer> {
  const who = await server.createBuyer();
  await update(who, { name: "Feder GmbH", country: "DE", vat_id: VAT_ID });
  return who;
}

describe("the check of a VAT id", () => {
  test("is pending after the id is saved, and has the answer of VIES with its number soon after", async () => {
    vies.replies.set(VAT_ID, "valid");
    const who = await createBusiness();
    expect(await readCheck(who)).toEqual({ state: "checking", answered_at: null, consultation_number: null });
    await runJob();
    const consultation_number = expect.stringMatching(/^WAPI/);
    expect(await readCheck(who)).toEqual({
      state: "valid",
      answered_at: server.clock.now().toISOString(),
      consultation_number,
    });
  });

  test.each([
    ["a country outside of the EU", { country: "CH", vat_id: "CHE107787577" }],
    ["the seller's country", { country: "FR", vat_id: "FR40303265045" }],
    ["no id", { country: "DE" }],
  ])("is not made for %s", async (_what, details) => {
    const who = await server.createBuyer();
    await update(who, details);
    const before = vies.requests.length;
    await runJob();
    expect((await readCheck(who)).state).toBe("unchecked");
    expect(vies.requests).toHaveLength(before);
  });

  test("is made of ids that were saved before VIES was asked", async () => {
    vies.replies.set(VAT_ID, "valid");
    const who = await createBusiness();
    await server.db.deleteFrom("vat_id_checks").execute();
    expect((await readCheck(who)).state).toBe("checking");
    await runJob();
    expect((await readCheck(who)).state).toBe("valid");
  });

  test("is repeated at growing intervals while VIES does not answer", async () => {
    vies.replies.set(VAT_ID, "MS_UNAVAILABLE");
    const who = await createBusiness();
    await runJob();
    expect(await readCheck(who)).toMatchObject({ state: "unavailable", answered_at: null });
    const before = vies.requests.length;
    await runJob();
    expect(vies.requests).toHaveLength(before);
    advance(MINUTE_MS);
    await runJob();
    advance(MINUTE_MS);
    await runJob();
    expect(vies.requests).toHaveLength(before + 1);
    vies.replies.set(VAT_ID, "valid");
    advance(MINUTE_MS);
    await runJob();
    expect((await readCheck(who)).state).toBe("valid");
  });

  test("of another organization waits when VIES as a whole does not answer", async () => {
    vies.replies.set(VAT_ID, "SERVICE_UNAVAILABLE");
    const [one, other] = [await createBusiness(), await createBusiness()];
    await runJob();
    const states = [(await readCheck(one)).state, (await readCheck(other)).state];
    expect(states.toSorted()).toEqual(["checking", "unavailable"]);
  });

  test("is repeated after 30 days, and an answer holds while VIES is unavailable", async () => {
    vies.replies.set(VAT_ID, "valid");
    const who = await createBusiness();
    await runJob();
    const first = await readCheck(who);
    vies.replies.set(VAT_ID, "TIMEOUT");
    advance(30 * DAY_MS);
    await runJob();
    expect(await readCheck(who)).toEqual(first);
    vies.replies.set(VAT_ID, "valid");
    advance(HOUR_MS);
    await runJob();
    expect((await readCheck(who)).consultation_number).not.toBe(first.consultation_number);
  });

  test("begins anew with another id, or when one that is not valid is saved again", async () => {
    const who = await createBusiness();
    await runJob();
    expect((await readCheck(who)).state).toBe("invalid");
    await update(who, { email: "books@example.com" });
    expect((await readCheck(who)).state).toBe("invalid");
    await update(who, { vat_id: VAT_ID });
    expect((await readCheck(who)).state).toBe("checking");
    await runJob();
    await update(who, { country: "IT", vat_id: "IT00743110157" });
    expect((await readCheck(who)).state).toBe("checking");
    await update(who, { vat_id: null });
    expect((await readCheck(who)).state).toBe("unchecked");
  });

  test("tells the owner once that the id is no longer valid", async () => {
    vies.replies.set(VAT_ID, "valid");
    const who = await createBusiness();
    await runJob();
    vies.replies.set(VAT_ID, "invalid");
    for (let month = 0; month < 2; month++) {
      advance(30 * DAY_MS);
      await runJob();
    }
    const mails = (await server.listMails(who.email)).filter(({ kind }) => kind === "vat_id_invalid");
    expect(mails).toHaveLength(1);
  });

  test("does not change while a purchase is being paid, because its tax was calculated before", async () => {
    vies.replies.set(VAT_ID, "valid");
    const who = await createBusiness();
    await server.db
      .updateTable("payment_methods")
      .set({ reference: "test:authenticates:x" })
      .where("organization_id", "=", who.organizationId)
      .execute();
    expect((await topUp(who)).status).toBe(402);
    await runJob();
    expect((await readCheck(who)).state).toBe("checking");
    await server.db
      .updateTable("payments")
      .set({ status: "failed" })
      .where("organization_id", "=", who.organizationId)
      .execute();
    advance(MINUTE_MS);
    await runJob();
    expect((await readCheck(who)).state).toBe("valid");
  });
});

describe("invoices", () => {
  test("have tax until VIES has found the id valid, and the proof from then on", async () => {
    vies.replies.set(VAT_ID, "valid");
    const who = await createBusiness();
    await topUp(who);
    await runJob();
    await topUp(who);
    const invoices = await server.invoices(who);
    const check = { state: "checking", answered_at: null, consultation_number: null };
    const before = { reverse_charge: false, tax_cents: 200, vat_id_check: check };
    const after = { reverse_charge: true, tax_cents: 0, vat_id_check: await readCheck(who) };
    expect(invoices).toEqual(expect.arrayContaining([before, after].map((one) => expect.objectContaining(one))));
    const { id } = invoices.find((invoice) => "reverse_charge" in invoice && invoice.reverse_charge) ?? {};
    const page = await (await server.send(`/api/invoices/${id}/page`, { token: who.key })).text();
    expect(page).toMatch(/VIES found the VAT id of the recipient valid on \d+ \w+ 2026, consultation number WAPI/);
  });

  test("of renewals wait for VIES, at most three days", async () => {
    vies.replies.set(VAT_ID, "valid");
    const who = await createBusiness();
    await runJob();
    await server.change(who, { plan_id: "feather_basic" });
    const { current_period_end_date: end } = await server.subscription(who);
    vies.replies.set("ATU62593407", "MS_UNAVAILABLE");
    await update(who, { country: "AT", vat_id: "ATU62593407" });
    await runJob();
    const endMs = Date.parse(end ?? "");
    await server.advanceTo(new Date(endMs + 3 * DAY_MS - 1).toISOString());
    expect(await server.invoices(who)).toHaveLength(1);
    await server.advanceTo(new Date(endMs + 3 * DAY_MS).toISOString());
    const [renewal] = await server.invoices(who);
    expect(renewal).toMatchObject({ tax_cents: 200, vat_id_check: { state: "unavailable" } });
  });
});
