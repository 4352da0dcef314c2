import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { afterAll, expect, test } from "vitest";
import { setupCli } from "../../../testing/setup-cli.ts";
import { formatRefundQuestion } from "./refund.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-export-"));
afterAll(() => rmSync(folder, { recursive: true }));

const invoice = {
  id: "inv_1",
  number: "F-2026-0041",
  status: "paid",
  currency: "USD",
  lines: [],
  subtotal_cents: 2500,
  discount_cents: 0,
  tax_percent: 0,
  tax_cents: 0,
  tax_lines: [],
  reverse_charge: false,
  total_cents: 2500,
  refunded_cents: 0,
  period_start_date: "2026-11-19T14:01:02Z",
  period_end_date: "2026-12-19T14:01:02Z",
  is_test: true,
  created_at: "2026-11-19T14:01:02Z",
  paid_at: "2026-11-19T14:01:03Z",
  organization_id: "org_1",
  billed_to: { name: "Ada", email: "ada@example.com", address: null, country: null, vat_id: null },
};
const disputed = { ...invoice, dispute: { status: "open", amount_cents: 2500 } };
const ended_plan = {
  currency: "USD",
  plan_id: "feather_pro_plus",
  plan_name: "Premium",
  quantity: 1,
  period_end_date: "2026-12-19T14:01:02Z",
  credited_cents: 0,
  balance_cents: 0,
};
const CSV = "country,tax_percent\r\nFR,20\r\n";
const { run, runInteractive, requests } = setupCli({
  "GET /admin/invoices": ({ url }) => ({ body: buildPage([url.includes("dispute=open") ? disputed : invoice]) }),
  "GET /admin/invoices/inv_1/refund": () => ({
    body: { currency: "USD", left_cents: 2500, refundable_cents: 2500, ended_plan },
  }),
  "POST /admin/invoices/inv_1/refund": () => ({ body: { ...invoice, refunded_cents: 2500 } }),
  "GET /admin/accounting": () => ({ headers: { "content-type": "text/csv" }, body: CSV }),
  "POST /admin/invoices/inv_2/refund": () =>
    errorResponse(409, "invoices.credits_spent", "At most $5.00 can be given back."),
});

test("lists invoices for people and programs", async () => {
  expect((await runInteractive("admin invoices list --search ada --state paid --organization org_1")).out).toMatch(
    /F-2026-0041 +ada@example\.com +paid +\$25\.00 +19 Nov 2026 +inv_1\n/,
  );
  expect(requests()[0]?.url).toContain("search=ada&status=paid&organization_id=org_1");
  expect(JSON.parse((await run("admin invoices list --json number,total_cents")).out)).toEqual([
    { number: "F-2026-0041", total_cents: 2500 },
  ]);
});

test("lists disputed invoices with the outcome of the dispute", async () => {
  expect((await runInteractive("admin invoices list --dispute open")).out).toContain("paid, dispute open");
  expect(requests()[0]?.url).toContain("dispute=open");
});

test.each([
  [[], {}],
  [["--amount", "12.50"], { amount_cents: 1250 }],
  [["--keep-plan"], { end_plan: false }],
  [["--amount", "$3", "--end-plan"], { amount_cents: 300, end_plan: true }],
])("a refund with %j sends only that", async (flags, body) => {
  const answer = await run(["admin", "invoices", "refund", "inv_1", ...flags, "--yes"]);
  expect(answer).toEqual({ code: 0, out: "inv_1\n", err: "$25.00 of F-2026-0041 are given back.\n" });
  expect(
    requests()
      .filter(({ method }) => method === "POST")
      .map(({ body }) => body),
  ).toEqual([body]);
});

test.each([
  [{}, "Give back $25.00 of invoice inv_1? This cannot be undone. Premium, paid until 19 Dec 2026, ends at once."],
  [{ amount_cents: 1000 }, "Give back $10.00 of invoice inv_1? This cannot be undone."],
  [{ end_plan: false }, "Give back $25.00 of invoice inv_1? This cannot be undone."],
])("the question for a refund with %j names the amount and the plan that ends", (options, question) => {
  const ended = { ...ended_plan, period_end_date: new Date(ended_plan.period_end_date) };
  const prompt = formatRefundQuestion(
    { id: "inv_1", ...options },
    { currency: "USD", left_cents: 2500, ended_plan: ended },
  );
  expect(prompt.replace(" Nothing is kept of it.", "")).toBe(question);
});

test.each([
  ["inv_1 --keep-plan --end-plan", 2, "cannot both go on and end"],
  ["inv_1 --amount 0", 2, "an amount, such as"],
  ["inv_2", 6, "At most $5.00 can be given back."],
])("a refund of %s exits with %i", async (flags, code, message) => {
  const answer = await run(`admin invoices refund ${flags} --yes`);
  expect(answer.code).toBe(code);
  expect(answer.err).toContain(message);
});

test("an export writes a month as CSV to stdout or a file", async () => {
  expect(await run("admin invoices export --month 2026-11 --kind taxes")).toEqual({ code: 0, out: CSV, err: "" });
  expect(requests()[0]?.url).toBe("/admin/accounting?month=2026-11&kind=taxes");
  const file = join(folder, "taxes.csv");
  expect((await run(["admin", "invoices", "export", "--month", "2026-11", "-o", file])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(CSV);
});

test("an export without a month is wrong use", async () => {
  expect(await run("admin invoices export")).toMatchObject({
    code: 2,
    err: expect.stringContaining("--month 2026-11"),
  });
  expect(requests()).toEqual([]);
});
