import { afterAll, beforeAll, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";
import { nextDocumentNumber } from "./invoices/document-numbers.ts";

let server: BillingServer;
beforeAll(async () => {
  server = await createBillingServer("2026-03-01T00:00:00Z", { FEATHER_INVOICE_NUMBERS: "organization" });
});
afterAll(async () => {
  await server.verifyBooks();
  await server.close();
});

const topUp = (who: Parameters<BillingServer["post"]>[0]) =>
  server.post(who, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });

test("invoices of an organization are numbered without gaps when others buy at the same time", async () => {
  const buyers = await Promise.all([server.createBuyer(), server.createBuyer(), server.createBuyer()]);
  for (const _ of [1, 2, 3]) await Promise.all(buyers.map(topUp));
  const prefixes = new Set<string>();
  for (const who of buyers) {
    const numbers = (await server.invoices(who)).map(({ number }) => number).toSorted();
    const prefix = /^TEST-2026-C\d+-/.exec(numbers[0] ?? "")?.[0] ?? "none";
    expect(numbers).toEqual([1, 2, 3].map((count) => `${prefix}000${count}`));
    prefixes.add(prefix);
  }
  expect(prefixes.size).toBe(3);
});

test("numbers of an organization go on when numbering changes to the operator's and back, and those that exist stay", async () => {
  const who = await server.createBuyer();
  await topUp(who);
  const [first] = await server.invoices(who);
  await server.db.transaction().execute(async (trx) => {
    const invoice = {
      organizationId: who.organizationId,
      kind: "invoice",
      issuedAt: server.clock.now(),
      isTest: true,
    } as const;
    expect(await nextDocumentNumber("operator", invoice, trx)).toBe("TEST-2026-0001");
    expect(await nextDocumentNumber("organization", invoice, trx)).toBe(first?.number.replace("0001", "0002"));
    expect(await nextDocumentNumber("organization", { ...invoice, isTest: false }, trx)).toMatch(/^F-2026-C\d+-0001$/);
    expect(await nextDocumentNumber("operator", { ...invoice, kind: "credit_note" }, trx)).toBe("TEST-CN-2026-0001");
  });
  expect((await server.invoices(who))[0]?.number).toBe(first?.number);
});

test("numbers begin at one again in the next year", async () => {
  const who = await server.createBuyer();
  await topUp(who);
  server.clock.at = Date.parse("2027-01-01T00:00:00Z");
  await topUp(who);
  const [second, first] = await server.invoices(who);
  expect([first?.number.slice(-4), second?.number.slice(-4)]).toEqual(["0001", "0001"]);
  expect(second?.number).toMatch(/^TEST-2027-C\d+-0001$/);
});

test("a credit note of a deleted organization is numbered with the operator's", async () => {
  const who = await server.createBuyer();
  await server.change(who, { plan_id: "feather_basic" });
  const [invoice] = await server.invoices(who);
  await server.call("/api/account", { method: "DELETE", token: who.token, body: {} });
  const { token } = await server.signInAdmin();
  const path = `/api/admin/invoices/${invoice?.id}/refund`;
  expect((await server.call(path, { method: "POST", token, body: {} })).status).toBe(200);
  const note = await server.db
    .selectFrom("credit_notes")
    .select("number")
    .where("invoice_id", "=", invoice?.id ?? "")
    .executeTakeFirst();
  expect(note?.number).toMatch(/^TEST-CN-20\d\d-\d{4}$/);
});
