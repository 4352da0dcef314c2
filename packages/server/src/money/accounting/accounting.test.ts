import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BillingServer, createBillingServer } from "../../testing/billing.ts";

let server: BillingServer;
beforeAll(async () => {
  const seller = { name: "Plume SA", address: "Quai 1", country: "FR", vat_id: "FR32123456789" };
  server = await createBillingServer("2026-03-31T23:00:00Z", {
    FEATHER_TAX_PERCENT: "20",
    FEATHER_SELLER: JSON.stringify(seller),
  });
});
afterAll(() => server.close());

async function exportMonth(kind: string, month: string) {
  const { token } = await server.signInAdmin();
  const response = await server.send(`/api/admin/accounting?kind=${kind}&month=${month}`, { token });
  const text = await response.text();
  return { response, lines: text.split("\r\n").filter((line) => line !== "") };
}
const details = (token: string, body: object) =>
  server.call("/api/organization/billing-details", { method: "PUT", token, body });

describe("the export for accounting", () => {
  test("the export for accounting has invoices, payments, refunds and taxes of a month, and nothing of the next", async () => {
    const [french, german] = [await server.createBuyer(), await server.createBuyer()];
    await details(french.key, { name: '=cmd|"/c calc"!A1', country: "FR" });
    await details(german.key, { name: "Feder, GmbH", country: "DE", vat_id: "DE136695976" });
    await server.change(french, { plan_id: "feather_basic" });
    server.clock.at += 1000;
    await server.change(german, { plan_id: "feather_basic" });
    const [invoice] = await server.invoices(french);
    const { token } = await server.signInAdmin();
    const refund = { method: "POST", token, body: { amount_cents: 600, end_plan: false } };
    await server.call(`/api/admin/invoices/${invoice?.id}/refund`, refund);
    server.clock.at = Date.parse("2026-04-01T00:00:00Z");
    await server.post(french, "/api/usage/credits/top-up", { amount_usd_cents: 1000 });

    const invoices = await exportMonth("invoices", "2026-03");
    expect(invoices.response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(invoices.response.headers.get("content-disposition")).toBe('attachment; filename="invoices-2026-03.csv"');
    expect(invoices.lines).toEqual([
      "number,date,status,organization_id,name,country,vat_id,currency,net,tax_percent,tax,total,reverse_charge,refunded,units_per_usd,net_usd,tax_usd,total_usd,refunded_usd,paid_date,is_test,vat_id_state,vat_id_answered_date,vat_id_consultation_number",
      `TEST-2026-0001,2026-03-31,paid,${french.organizationId},"'=cmd|""/c calc""!A1",FR,,USD,10,20,2,12,false,6,1,10,2,12,6,2026-03-31,true,,,`,
      `TEST-2026-0002,2026-03-31,paid,${german.organizationId},"Feder, GmbH",DE,DE136695976,USD,10,0,0,10,true,0,1,10,0,10,0,2026-03-31,true,,,`,
    ]);
    const payments = (await exportMonth("payments", "2026-03")).lines;
    expect(payments).toHaveLength(3);
    expect(payments[1]).toMatch(
      new RegExp(`^pay_\\w+,2026-03-31,TEST-2026-0001,${french.organizationId},USD,12,6,1,12,6,test,\\w*,true$`),
    );
    expect((await exportMonth("refunds", "2026-03")).lines.slice(1)).toEqual([
      `TEST-CN-2026-0001,2026-03-31,TEST-2026-0001,${french.organizationId},"'=cmd|""/c calc""!A1",FR,,USD,5,20,1,6,false,1,5,1,6,true`,
    ]);
    expect((await exportMonth("taxes", "2026-03")).lines.slice(1)).toEqual([
      "DE,0,true,true,USD,10,0,0,0,10,0,10,0",
      "FR,20,false,true,USD,10,2,5,1,5,1,5,1",
    ]);
    expect((await exportMonth("invoices", "2026-04")).lines).toHaveLength(2);
    expect((await exportMonth("refunds", "2026-04")).lines).toHaveLength(1);
  });

  test("the export for accounting has each of many rows once, also those of the same moment", async () => {
    await sql`
      insert into invoices (id, organization_id, number, kind, status, lines, subtotal_cents, discount_cents, tax_cents,
        total_cents, billed_to, is_test, created_at)
      select 'inv_many_' || n, 'org_1', 'F-2026-' || n, 'change', 'paid', '[]', 100, 0, 0, 100, '{"name":"Ada","email":""}', false,
        '2026-05-01T00:00:00Z'::timestamptz + (n / 700) * interval '1 day'
      from generate_series(1, 1203) n`.execute(server.db);
    const { lines } = await exportMonth("invoices", "2026-05");
    expect(new Set(lines).size).toBe(1 + 1203);
    expect(lines).toHaveLength(1 + 1203);
  });

  test.each(["kind=invoices&month=2026-13", "kind=invoices", "month=2026-03", "kind=all&month=2026-03"])(
    "the export for accounting rejects %s",
    async (query) => {
      const { token } = await server.signInAdmin();
      expect((await server.call(`/api/admin/accounting?${query}`, { token })).status).toBe(400);
    },
  );

  test("the export for accounting is for admins", async () => {
    const who = await server.createBuyer();
    const answer = await server.call("/api/admin/accounting?kind=invoices&month=2026-03", { token: who.key });
    expect(answer.status).toBe(404);
  });
});
