import { errorCode } from "@feather/testing/errors";
import type { StripeEvent } from "@feather/testing/fake-stripe";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Buyer, Invoice } from "../../testing/billing.ts";
import { createStripeServer, type StripeServer } from "../../testing/stripe.ts";

let server: StripeServer;
beforeAll(async () => {
  server = await createStripeServer();
});
afterEach(() => server.verifyBooks());
afterAll(() => server.close());

type DisputedInvoice = Invoice & { dispute: { status: string; amount_cents: number } | null };
const dollars = (count: number) => BigInt(count) * 1_000_000_000n;
const creditsOf = async (who: Buyer) => (await server.api.credits.credits.balance(who.organizationId)).balance;
const frozenOf = (who: Buyer) => server.api.ledger.balance(`disputed:${who.organizationId}`);
const invoiceOf = async (who: Buyer) => (await server.invoices(who))[0] as DisputedInvoice;

async function deliver(...events: (StripeEvent | undefined)[]): Promise<void> {
  for (const event of events) {
    if (!event) throw new Error("Stripe made no such event.");
    const { payload, signature } = server.fake.webhookOf(event);
    const headers = { "stripe-signature": signature };
    expect((await server.call("/api/payments/stripe/webhook", { body: payload, headers })).status).toBe(204);
  }
}

/** Returns the events about a dispute that Stripe has made, the oldest first. */
const eventsOf = (dispute: string) =>
  server.fake.store.events.filter(({ data }) => (data.object as { id?: string }).id === dispute);

/** Tops up 10 dollars and lets the bank dispute the payment, which nobody has reported here yet. */
async function topUpAndDispute(options?: { amount?: number; isInquiry?: boolean }) {
  const who = await server.createBuyer();
  expect((await server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 })).status).toBe(201);
  const payments = server.db.selectFrom("payments").select("reference");
  const { reference } = await payments.where("organization_id", "=", who.organizationId).executeTakeFirstOrThrow();
  const { id } = server.fake.openDispute(reference ?? "", options);
  return { who, id };
}

async function spend(who: Buyer, count: number): Promise<void> {
  const grant = { kind: "grant", description: "Used", reference: `used:${who.organizationId}:${count}` } as const;
  await server.api.credits.credits.grant(who.organizationId, -dollars(count), grant);
}

describe("disputes of payments", () => {
  test("an open dispute freezes the credits that the payment brought, and a won one releases them", async () => {
    const { who, id } = await topUpAndDispute();
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), await frozenOf(who)]).toEqual([0n, dollars(10)]);
    expect((await invoiceOf(who)).dispute).toEqual({ status: "open", amount_cents: 1000 });
    server.fake.closeDispute(id, "won");
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), await frozenOf(who)]).toEqual([dollars(10), 0n]);
    expect((await invoiceOf(who)).dispute).toEqual({ status: "won", amount_cents: 1000 });
  });

  test("a lost dispute takes the frozen credits and is posted with its fee", async () => {
    const { who, id } = await topUpAndDispute();
    await deliver(...eventsOf(id));
    server.fake.closeDispute(id, "lost");
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), await frozenOf(who)]).toEqual([0n, 0n]);
    expect((await invoiceOf(who)).dispute).toEqual({ status: "lost", amount_cents: 1000 });
    const row = await server.db.selectFrom("disputes").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ status: "lost", amount_cents: 1000, fee_cents: 1500 });
    const page = await server.call(`/api/invoices/${(await invoiceOf(who)).id}/page`, { token: who.key });
    expect(page.text).toContain("Taken back by the bank after a dispute");
  });

  test("only credits that are left are frozen, and a call beyond them is refused with the frozen amount", async () => {
    const { who, id } = await topUpAndDispute();
    await spend(who, 7);
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), await frozenOf(who)]).toEqual([0n, dollars(3)]);
    const { reservations } = server.api.credits;
    const reservation = { requestId: "req_1", organizationId: who.organizationId, userId: null, apiKeyId: null };
    await expect(reservations.reserve({ ...reservation, amountNano: dollars(1) })).rejects.toMatchObject({
      code: "insufficient_credits",
      message: expect.stringContaining("$3.00 are frozen while a payment is disputed"),
    });
  });

  test("a part that is disputed freezes its share of the credits", async () => {
    const { who, id } = await topUpAndDispute({ amount: 400 });
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), await frozenOf(who)]).toEqual([dollars(6), dollars(4)]);
  });

  test.each(["won", "lost"] as const)(
    "webhooks of a %s dispute have the same effect when they come doubled and the last one first",
    async (outcome) => {
      const { who, id } = await topUpAndDispute();
      server.fake.closeDispute(id, outcome);
      const events = eventsOf(id).reverse();
      await deliver(...events, ...events);
      expect([await creditsOf(who), await frozenOf(who)]).toEqual([outcome === "won" ? dollars(10) : 0n, 0n]);
      expect((await invoiceOf(who)).dispute?.status).toBe(outcome);
    },
  );

  test("a closed dispute is not opened again by a state that was read before", async () => {
    const { who, id } = await topUpAndDispute();
    server.fake.closeDispute(id, "lost");
    await deliver(...eventsOf(id));
    const payments = server.db.selectFrom("payments").select("id");
    const { id: paymentId } = await payments
      .where("organization_id", "=", who.organizationId)
      .executeTakeFirstOrThrow();
    const opened = {
      ...({ id, paymentId, status: "open", reason: "fraudulent" } as const),
      ...{ amountCents: 1000, currency: "USD", feeCents: 1500, feeCurrency: "USD" },
    } as const;
    await server.billing.disputes.apply({ ...opened, openedAt: server.clock.now() });
    expect((await invoiceOf(who)).dispute?.status).toBe("lost");
  });

  test("a dispute that is won after it was lost returns money and credits", async () => {
    const { who, id } = await topUpAndDispute();
    server.fake.closeDispute(id, "lost");
    await deliver(...eventsOf(id));
    server.fake.closeDispute(id, "won");
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), await frozenOf(who)]).toEqual([dollars(10), 0n]);
  });

  test("a fee that returns to an earlier amount is posted each time", async () => {
    const { who, id } = await topUpAndDispute();
    const payments = server.db.selectFrom("payments").select("id").where("organization_id", "=", who.organizationId);
    const { id: paymentId } = await payments.executeTakeFirstOrThrow();
    const before = await server.api.ledger.balance("fees");
    for (const feeCents of [1500, 0, 1500, 1500, 0, 1500]) {
      const amounts = { amountCents: 1000, currency: "USD", feeCents, feeCurrency: "USD" };
      const openedAt = server.clock.now();
      await server.billing.disputes.apply({
        id,
        paymentId,
        status: "open",
        reason: "fraudulent",
        ...amounts,
        openedAt,
      });
    }
    expect(before - (await server.api.ledger.balance("fees"))).toBe(dollars(15));
  });

  test("an inquiry freezes nothing, and is mailed to the admins", async () => {
    const admin = await server.signInAdmin();
    const { who, id } = await topUpAndDispute({ isInquiry: true });
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), (await invoiceOf(who)).dispute]).toEqual([dollars(10), null]);
    const subjects = (await server.listMails(admin.email)).map(({ subject }) => subject);
    expect(subjects.filter((subject) => subject.includes("a bank asks about a payment"))).toHaveLength(1);
  });

  test("a disputed payment is listed for admins and cannot be given back", async () => {
    const { who, id } = await topUpAndDispute();
    await deliver(...eventsOf(id));
    const { token } = await server.signInAdmin();
    const listed = await server.call(`/api/admin/invoices?dispute=open&organization_id=${who.organizationId}`, {
      token,
    });
    const [invoice] = (listed.body as { items: DisputedInvoice[] }).items;
    expect(invoice?.dispute).toEqual({ status: "open", amount_cents: 1000 });
    const refund = await server.call(`/api/admin/invoices/${invoice?.id}/refund`, { token, method: "POST" });
    expect([refund.status, errorCode(refund.body)]).toEqual([409, "invoices.disputed"]);
  });

  test("the plan of a lost dispute stays, and its revenue is taken back", async () => {
    const who = await server.createBuyer();
    await server.change(who, { plan_id: "feather_basic" });
    const before = await server.api.ledger.balance("revenue:subscriptions");
    const payments = server.db.selectFrom("payments").select("reference");
    const { reference } = await payments.where("organization_id", "=", who.organizationId).executeTakeFirstOrThrow();
    const { id } = server.fake.openDispute(reference ?? "");
    server.fake.closeDispute(id, "lost");
    await deliver(...eventsOf(id));
    expect(before - (await server.api.ledger.balance("revenue:subscriptions"))).toBe(dollars(10));
    expect(await server.subscription(who)).toMatchObject({ status: "active" });
  });

  test("frozen credits of a deleted organization are forfeited, and a won dispute releases nothing", async () => {
    const { who, id } = await topUpAndDispute();
    await deliver(...eventsOf(id));
    await server.db.transaction().execute(async (trx) => {
      await server.billing.cancellation.closeOrganization(who.organizationId, trx);
      await trx.deleteFrom("organizations").where("id", "=", who.organizationId).execute();
    });
    server.fake.closeDispute(id, "won");
    await deliver(...eventsOf(id));
    expect([await creditsOf(who), await frozenOf(who)]).toEqual([0n, 0n]);
  });
});
