import type { AdminCurrency } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import AdminCurrenciesPage from "./currencies.tsx";

afterEach(cleanup);

const dollar: Sent<AdminCurrency> = {
  code: "USD",
  units_per_usd: "1",
  decimals: 2,
  is_default: true,
  organization_count: 4,
  updated_at: "2026-11-01T00:00:00Z",
};
const euro: Sent<AdminCurrency> = {
  ...dollar,
  code: "EUR",
  units_per_usd: "0.92",
  is_default: false,
  organization_count: 2,
};

test("an admin sees the currencies with their rates, and switches another one on", async () => {
  const { requests } = renderPage(<AdminCurrenciesPage />, "/admin/currencies", "/admin/currencies", [
    http.admin.currencies.list({ items: [dollar, euro], available: ["EUR", "JPY", "USD"] }),
    http.admin.currencies.set({ ...euro, code: "JPY", units_per_usd: "150" }, { params: { code: "JPY" } }),
  ]);
  const row = (await screen.findByText("Euro (EUR)")).closest("tr");
  expect(row?.textContent).toContain("0.92");
  await userEvent.click(screen.getByRole("button", { name: "Switch on a currency" }));
  const rate = await screen.findByLabelText("Units for one US dollar");
  await userEvent.type(rate, "0");
  await userEvent.click(screen.getByRole("button", { name: "Switch it on" }));
  expect(await screen.findByText(/Rate is not valid/)).toBeTruthy();
  await userEvent.clear(rate);
  await userEvent.type(rate, "150");
  await userEvent.click(screen.getByRole("button", { name: "Switch it on" }));
  await waitFor(() =>
    expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({ units_per_usd: "150", is_default: false }),
  );
});
