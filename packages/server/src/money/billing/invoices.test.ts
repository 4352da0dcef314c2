import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type BillingServer,
  type Buyer,
  callConcurrently,
  createBillingServer,
  type Invoice,
} from "../../testing/billing.ts";
import { USD_RATE } from "../currencies/index.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-03-01T00:00:00Z");
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

async function customer(plan_id = "feather_pro_plus") {
  const who = await server.createBuyer();
  await server.change(who, { plan_id });
  const [invoice] = await server.invoices(who);
  return { who, invoice: invoice as Invoice };
}
const refund = async (id: string, body?: object, headers: Record<string, string> = {}, token?: string) =>
  server.call(`/api/admin/invoices/${id}/refund`, {
    method: "POST",
    token: token ?? (await server.signInAdmin()).token,
    headers,
    ...(body && { body }),
  });

const preview = async (id: string) =>
  (await server.call(`/api/admin/invoices/${id}/refund`, { token: (await server.signInAdmin()).token })).body as {
    left_cents: number;
    refundable_cents: number;
    ended_plan: { plan_id: string; credited_cents: number } | null;
  };

describe("invoices", () => {
  test("invoices are numbered without gaps within a year, despite failures and concurrency", async () => {
    const buyers: Buyer[] = [];
    for (let index = 0; index < 20; index++)
      buyers.push(await server.createBuyer(index % 4 === 3 ? "4000000000000341" : undefined));
    await Promise.all(buyers.map((who) => server.change(who, { plan_id: "feather_basic" })));
    const rows = await server.db.selectFrom("invoices").select("number").orderBy("number").execute();
    expect(rows.map(({ number }) => number)).toEqual(
      rows.map((_row, index) => `TEST-2026-${String(index + 1).padStart(4, "0")}`),
    );
  });

  test("invoices are numbered separately for real and test payments", async () => {
    const who = await server.createBuyer();
    const { invoicesRepository } = server.api.billing;
    const draft = { lines: [], subtotalCents: 0, discountCents: 0, taxCents: 0, totalCents: 0 };
    const make = (isTest: boolean) =>
      server.db.transaction().execute(async (trx) => {
        const fields = {
          organizationId: who.organizationId,
          kind: "change",
          draft,
          status: "paid",
          rate: USD_RATE,
          isTest,
        } as const;
        return (await invoicesRepository.create(fields, trx))?.number;
      });
    const [first, test, second] = [await make(false), await make(true), await make(false)];
    expect([first, second]).toEqual(["F-2026-0001", "F-2026-0002"]);
    expect(test).toMatch(/^TEST-2026-\d{4}$/);
  });

  test("invoices of a transaction that is rolled back leave no gap between numbers", async () => {
    const who = await server.createBuyer();
    const { invoicesRepository } = server.api.billing;
    const draft = { lines: [], subtotalCents: 0, discountCents: 0, taxCents: 0, totalCents: 0 };
    const make = (fails: boolean) =>
      server.db.transaction().execute(async (trx) => {
        const fields = {
          organizationId: who.organizationId,
          kind: "change",
          draft,
          status: "paid",
          rate: USD_RATE,
          isTest: false,
        } as const;
        const invoice = await invoicesRepository.create(fields, trx);
        if (fails) throw new Error("rolled back");
        return Number(invoice?.number.slice("F-2026-".length));
      });
    const first = await make(false);
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, index) => make(index % 3 === 0)));
    const numbers = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 8 }, (_, index) => first + 1 + index));
  });

  test("invoices are listed newest first, page by page, and read one by one", async () => {
    const { who } = await customer("feather_basic");
    await server.change(who, { plan_id: "feather_pro_plus" });
    const list = await server.read<{ items: Invoice[]; pagination: object }>(who, "/api/invoices?perPage=1&page=2");
    expect(list.pagination).toEqual({ current_page: 2, per_page: 1, total_items: 2, total_pages: 2 });
    expect(list.items).toMatchObject([{ total_cents: 1000, status: "paid", is_test: true }]);
    expect(await server.read(who, `/api/invoices/${list.items[0]?.id}`)).toEqual(list.items[0]);
  });

  test("reading another organization's invoice returns the same 404 as a missing one", async () => {
    const [{ invoice }, other] = [await customer(), await server.createBuyer()];
    for (const id of [invoice.id, "inv_none"])
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/page"],
        ["GET", "/pdf"],
        ["POST", "/pay"],
      ] as const) {
        const answer = await server.call(`/api/invoices/${id}${path}`, { method, token: other.key });
        expect([answer.status, errorCode(answer.body)]).toEqual([404, "invoices.not_found"]);
      }
  });

  test("invoices cannot be paid twice", async () => {
    const { who, invoice } = await customer();
    const answer = await server.post(who, `/api/invoices/${invoice.id}/pay`);
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "invoices.not_open"]);
    expect(await server.chargedCents(who)).toBe(2500);
  });

  test("invoices are rendered to print, with names escaped", async () => {
    const who = await server.createBuyer();
    const name = `<img src=x onerror="alert(1)">`;
    await server.call("/api/organization", { method: "PUT", token: who.token, body: { name } });
    await server.change(who, { plan_id: "feather_basic" });
    const [invoice] = await server.invoices(who);
    const response = await server.send(`/api/invoices/${invoice?.id}/page`, { token: who.key });
    const text = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(text).not.toContain("<img");
    for (const part of [
      invoice?.number ?? "-",
      "&#60;img",
      "Basic, 1 Mar 2026 to 1 Apr 2026",
      "$10.00",
      "TEST",
      who.email,
      `<a href="pdf">Download as PDF</a>`,
    ])
      expect(text).toContain(part);
  });

  test("invoices are sent as PDF, saved under their number", async () => {
    const { who, invoice } = await customer("feather_basic");
    const response = await server.send(`/api/invoices/${invoice.id}/pdf`, { token: who.key });
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toBe(`inline; filename="${invoice.number}.pdf"`);
    expect((await response.text()).slice(0, 9)).toBe("%PDF-1.7\n");
  });

  test("invoices keep the seller that the settings named when they were issued", async () => {
    const { who, invoice } = await customer("feather_basic");
    const readPage = async () => (await server.send(`/api/invoices/${invoice.id}/page`, { token: who.key })).text();
    expect(await readPage()).toContain("<td>Feather</td>");
    const seller = { name: "Plume & Co", address: "Quai 1\n75001 Paris", country: "FR", vat_id: "FR12345678901" };
    await server.db
      .updateTable("invoices")
      .set({ seller: JSON.stringify(seller) })
      .where("id", "=", invoice.id)
      .execute();
    expect(await readPage()).toContain(
      "Plume &#38; Co<br>Quai 1<br>75001 Paris<br>France<br>VAT id FR12345678901</td>",
    );
  });
});

describe("invoices as admins see them", () => {
  test("admins find invoices by number, e-mail address, name, organization and status, with wildcards taken literally", async () => {
    const { who, invoice } = await customer();
    const find = async (query: Record<string, string>) => {
      const { token } = await server.signInAdmin();
      const answer = await server.call(`/api/admin/invoices?${new URLSearchParams(query)}`, { token });
      return (answer.body as { items: { id: string }[] }).items.map(({ id }) => id);
    };
    for (const query of [
      { search: invoice.number.toLowerCase() },
      { search: who.email.toUpperCase() },
      { organization_id: who.organizationId },
      { organization_id: who.organizationId, status: "paid", search: " test-2026 " },
    ])
      expect([query, await find(query as Record<string, string>)]).toEqual([query, [invoice.id]]);
    for (const query of [
      { organization_id: who.organizationId, status: "open" },
      { organization_id: who.organizationId, search: "%" },
      { organization_id: who.organizationId, search: "' or 1=1 --" },
    ])
      expect([query, await find(query as Record<string, string>)]).toEqual([query, []]);
    expect((await server.call("/api/admin/invoices", { token: who.key })).status).toBe(404);
  });

  test("invoices that admins see name the organization even after it was deleted", async () => {
    const { who, invoice } = await customer();
    await server.call("/api/account", { method: "DELETE", token: who.token, body: {} });
    const { token } = await server.signInAdmin();
    const path = `/api/admin/invoices?organization_id=${who.organizationId}`;
    const { body } = await server.call(path, { token });
    expect(body).toMatchObject({
      items: [{ id: invoice.id, organization_id: who.organizationId, billed_to: { email: who.email } }],
    });
    const given = await refund(invoice.id);
    expect(given.body).toMatchObject({ refunded_cents: 2500 });
    expect(await server.chargedCents(who)).toBe(0);
  });
});

describe("a refund", () => {
  test("an invoice is refunded in part and then the rest, never more", async () => {
    const { who, invoice } = await customer();
    expect((await refund(invoice.id, { amount_cents: 700 })).body).toMatchObject({
      refunded_cents: 700,
      status: "paid",
    });
    expect(await server.chargedCents(who)).toBe(1800);
    const tooMuch = await refund(invoice.id, { amount_cents: 1801 });
    expect([tooMuch.status, errorCode(tooMuch.body)]).toEqual([409, "invoices.refund_too_large"]);
    expect((await refund(invoice.id)).body).toMatchObject({ refunded_cents: 2500 });
    expect(await server.chargedCents(who)).toBe(0);
    expect((await refund(invoice.id)).status).toBe(409);
    await server.verifyBooks();
  });

  test("a refund happens once for fifty calls with one idempotency key, and never exceeds the payment without one", async () => {
    const first = await customer();
    const key = { "idempotency-key": "refund" };
    const { token } = await server.signInAdmin();
    const refundOnce = () => refund(first.invoice.id, { amount_cents: 500 }, key, token);
    expect(await callConcurrently(50, refundOnce)).toEqual({ 200: 50 });
    expect(await server.chargedCents(first.who)).toBe(2000);
    await server.db.deleteFrom("idempotency_keys").execute();
    await refundOnce();
    expect(await server.chargedCents(first.who)).toBe(2000);
    const second = await customer();
    expect(await callConcurrently(50, () => refund(second.invoice.id, { amount_cents: 1000 }))).toEqual({
      200: 2,
      409: 48,
    });
    expect(await server.chargedCents(second.who)).toBe(500);
  });

  test("a refund is resumed when the process died before the payment service was called", async () => {
    const { who, invoice } = await customer();
    const payments = server.db.updateTable("payments").set({ refund_target_cents: 1200 });
    await payments.where("invoice_id", "=", invoice.id).execute();
    await server.runJobs();
    expect(await server.chargedCents(who)).toBe(1300);
    expect(await server.read(who, `/api/invoices/${invoice.id}`)).toMatchObject({ refunded_cents: 1200 });
  });

  test("a refund is not credited again by a change of plan", async () => {
    const { who, invoice } = await customer("feather_pro_plus");
    await refund(invoice.id, { end_plan: false });
    const change = await server.preview(who, { plan_id: "feather_scale" });
    expect(change.lines).toMatchObject([{ amount_cents: 10_000 }]);
  });

  test("a refund revokes the credits of a metered plan, and is rejected beyond those that remain", async () => {
    const { who, invoice } = await customer("feather_request_pricing");
    const available = async () => (await server.api.credits.credits.balance(who.organizationId)).available;
    expect(await available()).toBe(50_000_000_000n);
    await refund(invoice.id, { amount_cents: 2000 });
    expect(await available()).toBe(30_000_000_000n);
    const spent = { kind: "adjustment", source: "adjustments", description: "used", reference: `use:${who.userId}` };
    await server.api.credits.credits.grant(who.organizationId, -25_000_000_000n, {
      ...spent,
      kind: "grant",
      source: "revenue:usage",
    });
    expect(await preview(invoice.id)).toMatchObject({ left_cents: 3000, refundable_cents: 500 });
    const refused = await refund(invoice.id);
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "invoices.credits_spent"]);
    expect(refused.text).toContain("At most $5.00 of it can be given back.");
    expect((await refund(invoice.id, { amount_cents: 501 })).status).toBe(409);
    expect((await refund(invoice.id, { amount_cents: 500 })).status).toBe(200);
    expect(await available()).toBe(0n);
    await server.verifyBooks();
  });

  test("a refund ends the plan at once when it covers the whole current period, as the preview says", async () => {
    const { who, invoice } = await customer();
    expect(await preview(invoice.id)).toEqual({
      currency: "USD",
      left_cents: 2500,
      refundable_cents: 2500,
      ended_plan: expect.objectContaining({ plan_id: "feather_pro_plus", credited_cents: 0 }),
    });
    await refund(invoice.id);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_lite" }, id: null });
    expect(await server.chargedCents(who)).toBe(0);
    const [mail] = (await server.listMails(who.email)).filter(({ kind }) => kind === "subscription_ended");
    expect(mail?.body).toContain(`$25.00 of invoice ${invoice.number} were given back, and your plan Premium ended`);
    const audit = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "invoices.refund")
      .where("target", "=", invoice.id)
      .executeTakeFirstOrThrow();
    expect(audit.details).toMatchObject({ amount_cents: 2500, ended_plan: { plan_id: "feather_pro_plus" } });
  });

  test("a refund keeps the plan on request and when it is partial, and ends it for a part on request", async () => {
    const kept = await customer();
    await refund(kept.invoice.id, { end_plan: false });
    expect(await server.subscription(kept.who)).toMatchObject({ plan: { id: "feather_pro_plus" } });
    const part = await customer();
    await refund(part.invoice.id, { amount_cents: 1000 });
    expect(await server.subscription(part.who)).toMatchObject({ plan: { id: "feather_pro_plus" } });
    await refund(part.invoice.id, { amount_cents: 1000, end_plan: true });
    expect(await server.subscription(part.who)).toMatchObject({ plan: { id: "feather_lite" } });
    const [note] = await server.invoices(part.who);
    expect(note).toMatchObject({
      total_cents: 0,
      lines: [{ amount_cents: -500 }, { description: "Kept for the next invoices", amount_cents: 500 }],
    });
    await server.verifyBooks();
  });

  test("a refund cannot end a plan that the invoice does not pay for", async () => {
    const { who, invoice } = await customer();
    const topUp = { amount_usd_cents: 1000 };
    expect((await server.post(who, "/api/usage/credits/top-up", topUp)).status).toBe(201);
    const [credits] = await server.invoices(who);
    expect(await preview(credits?.id ?? "")).toMatchObject({ refundable_cents: 1000, ended_plan: null });
    const refused = await refund(credits?.id ?? "", { end_plan: true });
    expect([refused.status, errorCode(refused.body)]).toEqual([409, "invoices.pays_no_plan"]);
    expect((await refund(credits?.id ?? "")).status).toBe(200);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_pro_plus" } });
    await refund(invoice.id);
    expect(await server.subscription(who)).toMatchObject({ plan: { id: "feather_lite" } });
  });

  test("a refund requires an admin and an existing invoice that was paid with money", async () => {
    const { who, invoice } = await customer();
    expect((await server.post(who, `/api/admin/invoices/${invoice.id}/refund`)).status).toBe(404);
    expect((await refund("inv_none")).status).toBe(404);
    for (const amount_cents of [0, -5, 1.5, "1"]) expect((await refund(invoice.id, { amount_cents })).status).toBe(400);
    await server.call("/api/admin/coupons", {
      token: (await server.signInAdmin()).token,
      body: { code: "ALL", duration: "once", percent_off: 100 },
    });
    const free = await server.createBuyer();
    await server.change(free, { plan_id: "feather_basic", coupon_code: "ALL" });
    const [paid] = await server.invoices(free);
    const answer = await refund(paid?.id ?? "");
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "invoices.not_paid"]);
  });
});
