import { errorCode } from "@feather/testing/errors";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, type Buyer, callConcurrently, createBillingServer } from "../../testing/billing.ts";

type CreditNote = { id: string; number: string; invoice_id: string; tax_cents: number; total_cents: number };

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-03-01T00:00:00Z", { FEATHER_TAX_PERCENT: "19" });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

async function customer() {
  const who = await server.createBuyer();
  await server.change(who, { plan_id: "feather_basic" });
  const [invoice] = await server.invoices(who);
  return { who, id: invoice?.id ?? "", number: invoice?.number ?? "" };
}
const refund = async (id: string, amount_cents?: number) =>
  server.call(`/api/admin/invoices/${id}/refund`, {
    method: "POST",
    token: (await server.signInAdmin()).token,
    body: { ...(amount_cents !== undefined && { amount_cents }), end_plan: false },
  });
const creditNotes = async (who: Buyer) =>
  (await server.read<{ items: CreditNote[] }>(who, "/api/credit-notes")).items.toReversed();
const readText = async (who: Buyer, path: string) => (await server.send(path, { token: who.key })).text();

describe("credit notes", () => {
  test("credit notes are issued with each refund, have their own numbers, and add up to the tax and total of the invoice", async () => {
    const { who, id } = await customer();
    for (const cents of [3, 3]) await refund(id, cents);
    await refund(id);
    const notes = await creditNotes(who);
    expect(notes.map((note) => [note.invoice_id, note.total_cents, note.tax_cents])).toEqual([
      [id, 3, 0],
      [id, 3, 1],
      [id, 1184, 189],
    ]);
    const [first = 0, ...others] = notes.map(({ number }) => Number(/^TEST-CN-2026-(\d{4})$/.exec(number)?.[1]));
    expect(others).toEqual([first + 1, first + 2]);
    expect(await server.read(who, `/api/credit-notes/${notes[0]?.id}`)).toEqual(notes[0]);
  });

  test("credit notes cover the refunded amount of each invoice when refunds happen at the same time", async () => {
    const customers = await Promise.all([customer(), customer(), customer()]);
    const { token } = await server.signInAdmin();
    for (const { id } of customers)
      expect(
        await callConcurrently(4, () =>
          server.call(`/api/admin/invoices/${id}/refund`, { method: "POST", token, body: { amount_cents: 500 } }),
        ),
      ).toEqual({ 200: 2, 409: 2 });
    const rows = await server.db
      .selectFrom("invoices")
      .leftJoin("credit_notes", "credit_notes.invoice_id", "invoices.id")
      .select(({ fn }) => [
        "invoices.id",
        "refunded_cents",
        fn.sum<string | null>("credit_notes.total_cents").as("noted"),
      ])
      .groupBy(["invoices.id", "refunded_cents"])
      .execute();
    for (const { refunded_cents, noted } of rows) expect(Number(noted ?? 0)).toBe(refunded_cents);
    const numbers = await server.db.selectFrom("credit_notes").select("number").orderBy("number").execute();
    expect(numbers.map(({ number }) => number)).toEqual(
      numbers.map((_, index) => `TEST-CN-2026-${String(index + 1).padStart(4, "0")}`),
    );
  });

  test("credit notes are pages that name the invoice, whose page names them", async () => {
    const { who, id, number } = await customer();
    await refund(id, 595);
    const [note] = await creditNotes(who);
    const page = await readText(who, `/api/credit-notes/${note?.id}/page`);
    for (const part of [
      `<h1>Credit note ${note?.number}</h1>`,
      `${number} of 1 Mar 2026`,
      "<td>Tax 19 %</td><td>-$0.95</td>",
      "<td>Total in USD</td><td>-$5.95</td>",
      who.email,
    ])
      expect(page).toContain(part);
    expect(await readText(who, `/api/invoices/${id}/page`)).toContain(
      `Credit note ${note?.number} of 1 Mar 2026: $5.95 given back.`,
    );
  });

  test("credit notes are sent as PDF, saved under their number", async () => {
    const { who, id } = await customer();
    await refund(id);
    const [note] = await creditNotes(who);
    const response = await server.send(`/api/credit-notes/${note?.id}/pdf`, { token: who.key });
    expect(response.headers.get("content-type")).toBe("application/pdf");
    expect(response.headers.get("content-disposition")).toBe(`inline; filename="${note?.number}.pdf"`);
    expect((await response.text()).slice(0, 9)).toBe("%PDF-1.7\n");
  });

  test("credit notes are mailed to the recipient of the invoice", async () => {
    const { who, id, number } = await customer();
    await refund(id, 500);
    const [note] = await creditNotes(who);
    const [mail] = (await server.listMails(who.email)).filter(({ kind }) => kind === "credit_note");
    expect(mail?.subject).toBe(`Feather: credit note ${note?.number}`);
    expect(mail?.body).toContain(`$5.00 of invoice ${number} are given back.`);
    expect(mail?.body).toContain(`/api/credit-notes/${note?.id}/page`);
    const [attached] = await server.billing.renderAttachments(`credit_note:${note?.id}`);
    expect(attached).toMatchObject({ filename: `${note?.number}.pdf`, contentType: "application/pdf" });
  });

  test("credit notes do not exist for earlier refunds, which the page of the invoice says", async () => {
    const { who, id } = await customer();
    await refund(id, 500);
    await server.db.updateTable("invoices").set({ refunded_cents: 800 }).where("id", "=", id).execute();
    expect(await readText(who, `/api/invoices/${id}/page`)).toContain(
      "$3.00 were given back before refunds had credit notes, so there is none about them.",
    );
  });

  test("credit notes of another organization are the same 404 as missing ones", async () => {
    const [{ who, id }, other] = [await customer(), await server.createBuyer()];
    await refund(id);
    const [note] = await creditNotes(who);
    for (const path of [`/api/credit-notes/${note?.id}`, "/api/credit-notes/crn_none"])
      for (const end of ["", "/page", "/pdf"]) {
        const answer = await server.call(`${path}${end}`, { token: other.key });
        expect([answer.status, errorCode(answer.body)]).toEqual([404, "credit_notes.not_found"]);
      }
  });

  test("credit notes are issued for invoices of deleted organizations", async () => {
    const { who, id } = await customer();
    await server.call("/api/account", { method: "DELETE", token: who.token, body: {} });
    expect((await refund(id)).status).toBe(200);
    const note = await server.db
      .selectFrom("credit_notes")
      .select("total_cents")
      .where("invoice_id", "=", id)
      .executeTakeFirst();
    expect(note?.total_cents).toBe(1190);
  });
});
