import type { CreditNote } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import { CreditNotesSection } from "./credit-notes-section.tsx";

afterEach(cleanup);

const note = {
  id: "crn_1",
  number: "CN-2026-0007",
  invoice_id: "inv_1",
  currency: "USD",
  tax_cents: 0,
  total_cents: 500,
  is_test: true,
  created_at: "2026-11-20T14:01:02Z",
  withdrawn_at: null,
} as const;
const show = (items: readonly Sent<CreditNote>[]) =>
  renderPage(<CreditNotesSection />, "/account", "/account", [http.creditNotes.list(buildPage(items))]);

test("credit notes are listed with their page and their PDF", async () => {
  show([note]);
  const link = await screen.findByRole("link", { name: "CN-2026-0007" });
  expect(link.getAttribute("href")).toBe("/api/credit-notes/crn_1/page");
  expect(screen.getByRole("link", { name: "CN-2026-0007 as PDF" }).getAttribute("href")).toBe(
    "/api/credit-notes/crn_1/pdf",
  );
  expect(screen.getByText("$5.00")).toBeTruthy();
});

test("a credit note whose refund failed is marked as withdrawn, without an amount", async () => {
  show([{ ...note, withdrawn_at: "2026-11-21T14:01:02Z" }]);
  expect(await screen.findByText("withdrawn")).toBeTruthy();
  expect(screen.queryByText("$5.00")).toBeNull();
});

test("credit notes take no room while there are none", async () => {
  const { requests } = show([]);
  await waitFor(() => expect(requests.map(({ path }) => path)).toContain("/credit-notes"));
  expect(screen.queryByRole("heading", { name: "Credit notes" })).toBeNull();
});
