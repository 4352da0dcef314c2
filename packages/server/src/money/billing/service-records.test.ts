import { STRIPE_KEYS, type StripeEvent } from "@feather/testing/fake-stripe";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS } from "../../platform/core/time.ts";
import { type Buyer, CARDS } from "../../testing/billing.ts";
import { createStripeServer, type StripeServer } from "../../testing/stripe.ts";

let server: StripeServer;
beforeAll(async () => {
  server = await createStripeServer();
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const dollars = (count: number) => BigInt(count) * 1_000_000_000n;
const creditsOf = async (who: Buyer) => (await server.api.credits.credits.balance(who.organizationId)).balance;
const topUp = (who: Buyer) => server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });
const paymentOf = ({ organizationId }: Buyer) =>
  server.db
    .selectFrom("payments")
    .selectAll()
    .where("organization_id", "=", organizationId)
    .orderBy("created_at", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();

async function deliver(events: readonly StripeEvent[]): Promise<void> {
  for (const event of events) {
    const { payload, signature } = server.fake.webhookOf(event);
    const headers = { "stripe-signature": signature };
    expect((await server.call("/api/payments/stripe/webhook", { body: payload, headers })).status).toBe(204);
  }
}

async function refund(who: Buyer, cents: number) {
  const { token } = await server.signInAdmin();
  const [invoice] = await server.invoices(who);
  return server.call(`/api/admin/invoices/${invoice?.id}/refund`, { token, body: { amount_cents: cents } });
}

/** Refunds at Stripe, which nobody reports here. */
async function refundAtStripe(who: Buyer, amount: string): Promise<void> {
  const { reference } = await paymentOf(who);
  await fetch(`${server.fake.url}/v1/refunds`, {
    method: "POST",
    headers: { authorization: `Bearer ${STRIPE_KEYS.secretKey}` },
    body: new URLSearchParams({ payment_intent: reference ?? "", amount }),
  });
}

async function failLatestRefund(): Promise<StripeEvent[]> {
  const seen = server.fake.store.events.length;
  server.fake.failRefund([...server.fake.store.refunds.keys()].at(-1) ?? "");
  return server.fake.store.events.slice(seen);
}

async function adminMails(subject: string): Promise<number> {
  const { email } = await server.signInAdmin();
  return (await server.listMails(email)).filter((mail) => mail.subject.includes(subject)).length;
}

describe("refunds that fail later", () => {
  test("a refund that fails is posted back with its credits, once, and told to the admins", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    await refund(who, 400);
    expect(await creditsOf(who)).toBe(dollars(6));
    const events = await failLatestRefund();
    await deliver([...events, ...events]);
    expect(await creditsOf(who)).toBe(dollars(10));
    expect(await server.invoices(who)).toMatchObject([{ refunded_cents: 0 }]);
    expect(await adminMails("a refund failed")).toBe(1);
    await server.billing.payments.recover();
    expect(await server.takenCents(who)).toBe(1000);
  });

  test("a refund that failed can be made again, for the same amount", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    await refund(who, 1000);
    await deliver(await failLatestRefund());
    expect((await refund(who, 1000)).body).toMatchObject({ refunded_cents: 1000 });
    expect([await server.takenCents(who), await creditsOf(who)]).toEqual([0, 0n]);
    await server.verifyBooks();
  });

  test("a refund that fails withdraws its credit note, which keeps its number and says so", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    await refund(who, 400);
    await refund(who, 300);
    await deliver(await failLatestRefund());
    type Note = { id: string; number: string; total_cents: number; withdrawn_at: string | null };
    const { items } = await server.read<{ items: Note[] }>(who, "/api/credit-notes");
    const failed = items.find(({ total_cents }) => total_cents === 300);
    const valid = items.find(({ total_cents }) => total_cents === 400);
    expect([failed?.withdrawn_at, valid?.withdrawn_at]).toEqual([expect.any(String), null]);
    const [invoice] = await server.invoices(who);
    const textOf = async (path: string) => (await server.call(path, { token: who.key })).text;
    expect(await textOf(`/api/credit-notes/${failed?.id}/page`)).toContain("since the refund failed");
    const page = await textOf(`/api/invoices/${invoice?.id}/page`);
    expect(page).toContain(`Credit note ${failed?.number}`);
    expect(page).toContain("$3.00 could not be given back");
    expect(page).not.toContain("before refunds had credit notes");
    const month = server.clock.now().toISOString().slice(0, 7);
    const { token } = await server.signInAdmin();
    const exported = async (kind: string) =>
      (await server.call(`/api/admin/accounting?month=${month}&kind=${kind}`, { token })).text.split("\r\n");
    const note = (await exported("refunds")).find((line) => line.startsWith(`${failed?.number},`));
    expect(note).toContain(failed?.withdrawn_at?.slice(0, 10));
    const { sum } = await server.db
      .selectFrom("credit_notes")
      .select((eb) => eb.fn.sum<string>("total_cents").as("sum"))
      .where("withdrawn_at", "is", null)
      .executeTakeFirstOrThrow();
    const [header = "", ...sums] = await exported("taxes");
    const column = header.split(",").indexOf("refunded_net");
    const refunded = sums.reduce((total, line) => total + Number(line.split(",")[column] ?? 0), 0);
    expect(Math.round(refunded * 100)).toBe(Number(sum));
  });

  test("a refund that fails in part of a larger credit note leaves a note about the rest", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    await refund(who, 1000);
    const [invoice] = await server.db
      .selectFrom("invoices")
      .selectAll()
      .where("organization_id", "=", who.organizationId)
      .execute();
    if (!invoice) throw new Error("There is no invoice.");
    await server.db
      .transaction()
      .execute((trx) => server.billing.creditNotesRepository.withdraw({ ...invoice, refunded_cents: 600 }, 400, trx));
    const notes = await server.db
      .selectFrom("credit_notes")
      .select(["total_cents", "withdrawn_at"])
      .where("invoice_id", "=", invoice.id)
      .orderBy("number")
      .execute();
    expect(notes).toEqual([
      { total_cents: 1000, withdrawn_at: expect.any(Date) },
      { total_cents: 600, withdrawn_at: null },
    ]);
  });

  test("a failed refund of a plan restores the value of its unused time", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const periodValue = async () =>
      (
        await server.db
          .selectFrom("subscriptions")
          .select("value_cents")
          .where("organization_id", "=", who.organizationId)
          .where("ended_at", "is", null)
          .executeTakeFirstOrThrow()
      ).value_cents;
    await refund(who, 400);
    expect(await periodValue()).toBe(600);
    await deliver(await failLatestRefund());
    expect(await periodValue()).toBe(1000);
  });
});

describe("removed cards", () => {
  test("a removed card is detached at Stripe, where nobody can charge it any more", async () => {
    const who = await server.createBuyer();
    const [card] = await server.billing.paymentMethods.list(who.organizationId);
    await server.call(`/api/payment-methods/${card?.id}`, { method: "DELETE", token: who.key });
    await server.billing.paymentMethods.removeAtService();
    const id = card?.reference.split("/")[1] ?? "";
    expect(server.fake.store.paymentMethods.get(id)?.customer).toBeNull();
    const requests = server.fake.requests.length;
    await server.billing.paymentMethods.removeAtService();
    expect(server.fake.requests.length).toBe(requests);
  });

  test("a removed card with a payment under way is detached after the payment ended", async () => {
    const who = await server.createBuyer(CARDS.authenticates);
    await topUp(who);
    const [card] = await server.billing.paymentMethods.list(who.organizationId);
    await server.call(`/api/payment-methods/${card?.id}`, { method: "DELETE", token: who.key });
    const customer = () => server.fake.store.paymentMethods.get(card?.reference.split("/")[1] ?? "")?.customer;
    await server.billing.paymentMethods.removeAtService();
    expect(customer()).not.toBeNull();
    server.clock.at += 2 * DAY_MS;
    await server.billing.payments.recover();
    await server.billing.paymentMethods.removeAtService();
    expect(customer()).toBeNull();
  });

  test("a card whose customer was deleted at Stripe is declined with words that say so", async () => {
    const who = await server.createBuyer();
    const customers = server.db.selectFrom("payment_customers").select("reference");
    const { reference } = await customers.where("organization_id", "=", who.organizationId).executeTakeFirstOrThrow();
    server.fake.deleteCustomer(reference);
    expect((await topUp(who)).text).toContain("the payment service no longer has it: add it again");
  });
});

describe("the daily comparison with Stripe", () => {
  const latest = async () => (await server.billing.reconciliation.latest())?.differences;
  const HOUR_MS = 3_600_000;

  test("payments that agree have no differences, and are compared once a day", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    server.clock.at += HOUR_MS;
    await server.billing.reconciliation.run();
    expect(await latest()).toEqual([]);
    const { token } = await server.signInAdmin();
    const { body } = await server.call("/api/admin/settings", { token });
    expect(body).toMatchObject({ payments_check: { differences: [], checked_at: server.clock.now().toISOString() } });
    const requests = server.fake.requests.length;
    await server.billing.reconciliation.run();
    expect(server.fake.requests.length).toBe(requests);
  });

  test("refunds and disputes whose webhooks were lost are posted and reported", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    await refundAtStripe(who, "400");
    const { id, reference } = await paymentOf(who);
    const dispute = server.fake.openDispute(reference ?? "");
    server.clock.at += HOUR_MS;
    await server.billing.reconciliation.check();
    const found = { payment_id: id, repaired: true };
    expect(await latest()).toEqual([
      expect.objectContaining({ ...found, kind: "refund", service_cents: 400, our_cents: 0 }),
      expect.objectContaining({ ...found, kind: "dispute", reference: dispute.id, service_cents: 600 }),
    ]);
    server.fake.closeDispute(dispute.id, "lost");
    server.clock.at += 200 * DAY_MS;
    await server.billing.reconciliation.check();
    expect(await latest()).toEqual([expect.objectContaining({ kind: "dispute", reference: dispute.id })]);
    await server.verifyBooks();
  });

  test("charges that are unknown here, at Stripe, or of another amount are reported, and mailed once", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    const { id, reference } = await paymentOf(who);
    const charge = [...server.fake.store.charges.values()].find((one) => one.payment_intent === reference);
    if (!charge) throw new Error("Stripe has no charge.");
    const other = { ...charge, id: "ch_other", payment_intent: "pi_other", metadata: {} };
    server.fake.store.charges.set(other.id, other);
    charge.amount = 900;
    const gone = { ...(await paymentOf(who)), id: "pay_gone", reference: "pi_gone", invoice_id: null, purchase: null };
    await server.db.insertInto("payments").values(gone).execute();
    server.clock.at += HOUR_MS;
    const mails = await adminMails("payments differ");
    await server.billing.reconciliation.check();
    expect(await latest()).toEqual([
      expect.objectContaining({ kind: "unknown_here", reference: "pi_other", repaired: false }),
      expect.objectContaining({ kind: "amount", payment_id: id, service_cents: 900, our_cents: 1000 }),
      expect.objectContaining({ kind: "unknown_at_service", payment_id: "pay_gone" }),
    ]);
    server.clock.at += HOUR_MS;
    await server.billing.reconciliation.check();
    expect((await adminMails("payments differ")) - mails).toBe(1);
    charge.amount = 1000;
    server.fake.store.charges.delete(other.id);
    await server.db.deleteFrom("payments").where("id", "=", "pay_gone").execute();
  });

  test("a dispute of a payment that is not settled here is reported as not posted", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    const { id, reference } = await paymentOf(who);
    const dispute = server.fake.openDispute(reference ?? "");
    const payments = () => server.db.updateTable("payments").where("id", "=", id);
    server.clock.at += 8 * DAY_MS;
    await payments().set({ status: "pending" }).execute();
    await server.billing.reconciliation.check();
    expect(await latest()).toEqual([expect.objectContaining({ reference: dispute.id, repaired: false })]);
    await payments().set({ status: "succeeded" }).execute();
    server.clock.at += HOUR_MS;
    await server.billing.reconciliation.check();
    expect(await latest()).toEqual([expect.objectContaining({ reference: dispute.id, repaired: true })]);
  });

  test("a charge whose success was never heard of is posted", async () => {
    const who = await server.createBuyer(CARDS.authenticates);
    const answer = await topUp(who);
    expect(answer.status).toBe(402);
    const { reference } = await paymentOf(who);
    server.fake.authenticate(`/${reference}`, true);
    server.clock.at += HOUR_MS;
    await server.billing.reconciliation.check();
    expect(await latest()).toEqual([expect.objectContaining({ kind: "not_posted", repaired: true })]);
    expect(await creditsOf(who)).toBe(dollars(10));
  });
});
