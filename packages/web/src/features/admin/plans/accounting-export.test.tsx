import { cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import { AccountingExport } from "./accounting-export.tsx";

afterEach(cleanup);

const show = () =>
  renderPage(<AccountingExport today={new Date("2026-01-15T00:00:00Z")} />, "/admin/invoices", "/admin/invoices", []);

test("the export for accounting begins with the month before, and links each kind of the chosen month", async () => {
  show();
  const month = await screen.findByLabelText("Month (UTC)");
  expect(screen.getByText("Taxes").getAttribute("href")).toBe("/api/admin/accounting?kind=taxes&month=2025-12");
  fireEvent.change(month, { target: { value: "2026-11" } });
  expect(screen.getByText("Invoices").getAttribute("href")).toBe("/api/admin/accounting?kind=invoices&month=2026-11");
});

test("the export for accounting has no links without a month", async () => {
  show();
  fireEvent.change(await screen.findByLabelText("Month (UTC)"), { target: { value: "" } });
  expect(screen.queryByText("Taxes")).toBeNull();
});
