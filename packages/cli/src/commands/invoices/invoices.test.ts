import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPage } from "@feather/testing/builders";
import { errorResponse } from "@feather/testing/errors";
import { afterAll, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "feather-invoices-"));
afterAll(() => rmSync(folder, { recursive: true }));

const XML = '<?xml version="1.0"?><Invoice/>';
const PDF = "%PDF-1.7 an invoice";
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
  refunded_cents: 500,
  period_start_date: "2026-11-19T14:01:02Z",
  period_end_date: "2026-12-19T14:01:02Z",
  is_test: true,
  created_at: "2026-11-19T14:01:02Z",
  paid_at: "2026-11-19T14:01:03Z",
};
const creditNote = {
  id: "crn_1",
  number: "CN-2026-0007",
  invoice_id: "inv_1",
  currency: "USD",
  tax_cents: 0,
  total_cents: 500,
  is_test: true,
  created_at: "2026-11-20T14:01:02Z",
  withdrawn_at: null,
};
const { run, runInteractive, requests } = setupCli({
  "GET /invoices": () => ({ body: buildPage([invoice]) }),
  "GET /credit-notes": () => ({ body: buildPage([creditNote]) }),
  "GET /credit-notes/crn_1": () => ({ body: creditNote }),
  "GET /credit-notes/crn_1/pdf": () => ({ headers: { "content-type": "application/pdf" }, body: PDF }),
  "GET /invoices/inv_1": () => ({ body: invoice }),
  "GET /invoices/inv_1/pdf": () => ({ headers: { "content-type": "application/pdf" }, body: PDF }),
  "GET /invoices/inv_1/xml": () => ({ headers: { "content-type": "text/xml; charset=utf-8" }, body: XML }),
  "GET /invoices/inv_none": () => errorResponse(404, "invoices.not_found", "There is no such invoice."),
});

test("invoices list prints invoices for people and programs", async () => {
  expect((await runInteractive("invoices list")).out).toMatch(
    /F-2026-0041 +paid +\$25\.00 +\$5\.00 +19 Nov 2026 +inv_1\n/,
  );
  expect(JSON.parse((await run("invoices list --json number,total_cents")).out)).toEqual([
    { number: "F-2026-0041", total_cents: 2500 },
  ]);
});

test("invoices download writes the PDF to the named file and says its size", async () => {
  const file = join(folder, "november.pdf");
  const { code, out, err } = await runInteractive(["invoices", "download", "inv_1", "-o", file]);
  expect([code, out, err.replaceAll(/\s+/g, " ")]).toEqual([0, "", `19 B in ${file} `]);
  expect(readFileSync(file, "utf8")).toBe(PDF);
});

test("invoices download writes the PDF to a pipe, and not to a terminal", async () => {
  expect(await run("invoices download inv_1 -o -")).toEqual({ code: 0, out: PDF, err: "" });
  const refused = await runInteractive("invoices download inv_1 -o -");
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining("not written to a terminal")]);
});

test("invoices download --xml writes the e-invoice, also to a terminal", async () => {
  const file = join(folder, "november.xml");
  expect((await run(["invoices", "download", "inv_1", "--xml", "-o", file])).code).toBe(0);
  expect(readFileSync(file, "utf8")).toBe(XML);
  expect((await runInteractive("invoices download inv_1 --xml -o -")).out).toBe(XML);
});

test("invoices download of an invoice that is missing writes no file", async () => {
  const file = join(folder, "none.pdf");
  const { code } = await run(["invoices", "download", "inv_none", "-o", file]);
  expect(code).toBe(3);
  expect(() => readFileSync(file)).toThrow("ENOENT");
  expect(requests()[0]?.url).toContain("/invoices/inv_none");
});

test("invoices credit-notes prints credit notes, which invoices download writes too", async () => {
  expect((await runInteractive("invoices credit-notes")).out).toMatch(
    /CN-2026-0007 +\$5\.00 +20 Nov 2026 +inv_1 +crn_1\n/,
  );
  expect(await run("invoices download crn_1 -o -")).toEqual({ code: 0, out: PDF, err: "" });
});
