import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, createBillingServer } from "../../testing/billing.ts";
import { USD_RATE } from "../currencies/index.ts";
import { draftSingleItemInvoice } from "../quotes/index.ts";
import { taxAt } from "../taxes/tax.ts";

const PATH = "/api/organization/billing-details";
const SELLER = { name: "Plume SA", address: "Quai 1\n75001 Paris", country: "FR", vat_id: "FR 32 123456789" };

let server: BillingServer;
beforeAll(async () => {
  const env = { FEATHER_SELLER: JSON.stringify(SELLER), FEATHER_TAX_PERCENT: "20", FEATHER_E_INVOICES: "factur-x" };
  server = await createBillingServer("2026-03-01T00:00:00Z", env);
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const update = (who: Buyer, body: object, token = who.key) => server.call(PATH, { method: "PUT", token, body });
const topUp = (who: Buyer) => server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });
const readPage = async (who: Buyer, id: string | undefined) =>
  (await server.send(`/api/invoices/${id}/page`, { token: who.key })).text();

describe("billing details", () => {
  test("billing details are empty at first, and a change keeps what it leaves out", async () => {
    const who = await server.createBuyer();
    const vat_id_check = { state: "unchecked", answered_at: null, consultation_number: null };
    const place = { address: null, postal_code: null, city: null, country: null };
    const empty = {
      name: null,
      ...place,
      vat_id: null,
      vat_id_check,
      buyer_reference: null,
      email: null,
      currency: "USD",
    };
    expect(await server.read(who, PATH)).toEqual(empty);
    const named = { ...empty, name: "Feder GmbH", country: "DE", vat_id: "DE136695976" };
    expect((await update(who, { name: " Feder GmbH ", country: "DE", vat_id: "de 136 695 976" })).body).toEqual(named);
    expect((await update(who, { email: "books@example.com" })).body).toEqual({ ...named, email: "books@example.com" });
    expect((await update(who, { vat_id: null, email: "books@example.com" })).body).toMatchObject({ vat_id: null });
    expect(await server.read(who, PATH)).toEqual({ ...named, vat_id: null, email: "books@example.com" });
  });

  test.each([
    [{ vat_id: "DE136695976" }, "country"],
    [{ country: "DE", vat_id: "DE136695977" }, "vat_id"],
    [{ country: "DE", vat_id: "FR32123456789" }, "vat_id"],
    [{ country: "Germany" }, "country"],
    [{ email: "nobody" }, "email"],
    [{ buyer_reference: "04011000-12345-03" }, "postal_code"],
    [{ buyer_reference: "04011000-12345-03", postal_code: "10115", country: "DE" }, "city"],
    [{ city: "Ber\u200blin" }, "city"],
  ])("billing details reject %j and name the field", async (body, param) => {
    const answer = await update(await server.createBuyer(), body);
    expect([answer.status, errorCode(answer.body)]).toEqual([400, "invalid_request"]);
    expect(answer.text).toContain(param);
  });

  test("billing details cannot lose the country while there is a VAT id", async () => {
    const who = await server.createBuyer();
    await update(who, { country: "DE", vat_id: "DE136695976" });
    expect((await update(who, { country: null })).status).toBe(400);
    expect((await update(who, { country: null, vat_id: null })).status).toBe(200);
  });

  test("billing details do not change while a purchase is being paid", async () => {
    const who = await server.createBuyer();
    await server.db
      .updateTable("payment_methods")
      .set({ reference: "test:authenticates:x" })
      .where("organization_id", "=", who.organizationId)
      .execute();
    expect((await topUp(who)).status).toBe(402);
    const answer = await update(who, { name: "Feder GmbH" });
    expect([answer.status, errorCode(answer.body)]).toEqual([409, "payments.pending"]);
  });

  test("a change of billing details is recorded in the audit log", async () => {
    const who = await server.createBuyer();
    await update(who, { name: "Feder GmbH" });
    const entry = await server.db
      .selectFrom("audit_log")
      .select("details")
      .where("action", "=", "organization.billing_details")
      .where("organization_id", "=", who.organizationId)
      .executeTakeFirstOrThrow();
    expect(entry.details).toEqual({ name: "Feder GmbH", country: null, vat_id: null, currency: "USD" });
  });
});

describe("invoices", () => {
  test("invoices name the seller of the settings and the buyer's details, as they were when they were issued", async () => {
    const who = await server.createBuyer();
    await update(who, { name: "Brise SARL", address: "Rue 2\n69001 Lyon", country: "FR", email: "books@example.com" });
    await topUp(who);
    const [invoice] = await server.invoices(who);
    await update(who, { name: "Later", address: null });
    const page = await readPage(who, invoice?.id);
    expect(page).toContain("Plume SA<br>Quai 1<br>75001 Paris<br>France<br>VAT id FR32123456789</td>");
    expect(page).toContain("Brise SARL<br>Rue 2<br>69001 Lyon<br>France<br>books@example.com</td>");
    expect(page).toContain("<td>Tax 20 %</td><td>$2.00</td>");
    expect(invoice).toMatchObject({ tax_percent: 20, tax_cents: 200, total_cents: 1200, reverse_charge: false });
  });

  test("invoices to a business in another country of the EU have no tax and say that the recipient owes it", async () => {
    const who = await server.createBuyer();
    await update(who, { name: "Feder GmbH", country: "DE", vat_id: "DE136695976" });
    expect((await server.preview(who, { plan_id: "feather_basic" })).tax_cents).toBe(0);
    await server.change(who, { plan_id: "feather_basic" });
    await topUp(who);
    await server.advanceTo("2026-04-01T00:00:00Z");
    const invoices = await server.invoices(who);
    expect(invoices).toHaveLength(3);
    for (const invoice of invoices) {
      expect(invoice).toMatchObject({ tax_percent: 0, tax_cents: 0, total_cents: 1000, reverse_charge: true });
      const page = await readPage(who, invoice.id);
      expect(page).toContain("<td>Tax 0 %</td><td>$0.00</td>");
      expect(page).toContain("VAT id DE136695976");
      expect(page).toContain("Reverse charge: the recipient is liable for the VAT");
    }
  });

  test("invoices have the operator's tax again after the VAT id is removed", async () => {
    const who = await server.createBuyer();
    await update(who, { country: "DE", vat_id: "DE136695976" });
    await update(who, { vat_id: null });
    await topUp(who);
    expect((await server.invoices(who))[0]).toMatchObject({ tax_cents: 200, reverse_charge: false });
  });

  test("invoices hold an e-invoice in their PDF where money moved, and test invoices do not", async () => {
    const who = await server.createBuyer();
    await update(who, { country: "FR" });
    await topUp(who);
    const [testInvoice] = await server.invoices(who);
    const real = await server.db.transaction().execute((trx) =>
      server.billing.invoicesRepository.create(
        {
          organizationId: who.organizationId,
          kind: "change",
          draft: draftSingleItemInvoice("Credits", 1000, taxAt(20, 1)),
          rate: USD_RATE,
          status: "paid",
          isTest: false,
        },
        trx,
      ),
    );
    const readPdf = async (id: string | undefined) =>
      Buffer.from(await (await server.send(`/api/invoices/${id}/pdf`, { token: who.key })).arrayBuffer()).toString(
        "latin1",
      );
    expect(await readPdf(real?.id)).toContain("<fx:ConformanceLevel>BASIC</fx:ConformanceLevel>");
    expect(await readPdf(testInvoice?.id)).not.toContain("<fx:");
  });

  test("receipts have the invoice attached as PDF", async () => {
    const who = await server.createBuyer();
    await topUp(who);
    const [invoice] = await server.invoices(who);
    const message = await server.db
      .selectFrom("outbox")
      .select("attachment")
      .where("kind", "=", "receipt")
      .where("recipient", "=", who.email)
      .executeTakeFirstOrThrow();
    expect(message.attachment).toBe(`invoice:${invoice?.id}`);
    const [attached] = await server.billing.renderAttachments(message.attachment ?? "");
    expect(attached).toMatchObject({ filename: `${invoice?.number}.pdf`, contentType: "application/pdf" });
    expect(Buffer.from(attached?.content ?? []).toString("latin1", 0, 8)).toBe("%PDF-1.7");
    for (const name of ["invoice:inv_none", "credit_note:crn_none", "other:x"])
      expect(await server.billing.renderAttachments(name)).toEqual([]);
  });

  test("receipts go to the address of accounting", async () => {
    const who = await server.createBuyer();
    await update(who, { email: "accounting@example.com" });
    await topUp(who);
    expect((await server.listMails("accounting@example.com")).map(({ kind }) => kind)).toContain("receipt");
    expect((await server.listMails(who.email)).map(({ kind }) => kind)).not.toContain("receipt");
  });
});
