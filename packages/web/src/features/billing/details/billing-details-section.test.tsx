import { http, refuse } from "@feather/sdk/msw";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { noBillingDetails } from "#/testing/billing.ts";
import { renderPage } from "#/testing/page.tsx";
import { BillingDetailsSection } from "./billing-details-section.tsx";

afterEach(cleanup);

const details = { ...noBillingDetails, name: "Plume SA", country: "FR", vat_id: "FR32123456789" };
const { vat_id_check: _check, currency: _currency, ...changed } = details;
const show = (mayChange = true, handlers: Parameters<typeof renderPage>[3] = []) =>
  renderPage(<BillingDetailsSection mayChange={mayChange} />, "/account", "/account", [
    ...handlers,
    http.organization.billingDetails.get(details),
    http.organization.billingDetails.update({ ...details, email: "books@example.com" }),
  ]);

test("billing details are saved, with empty fields as null", async () => {
  const { requests } = show();
  expect(await screen.findByDisplayValue("FR32123456789")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("E-mail of accounting"), "books@example.com");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(requests.find(({ method }) => method === "PUT")?.body).toEqual({
      ...changed,
      email: "books@example.com",
    }),
  );
  expect(await screen.findByDisplayValue("books@example.com")).toBeTruthy();
});

test("billing details show what the server finds wrong at the field", async () => {
  const message = "vat_id is not valid: it has a wrong digit, since its check digits do not fit.";
  show(true, [http.organization.billingDetails.update(refuse(400, "invalid_request", message, {}, "vat_id"))]);
  await userEvent.type(await screen.findByDisplayValue("FR32123456789"), "9");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/check digits do not fit/)).toBeTruthy();
});

test("billing details are text for those who may not change them", async () => {
  show(false);
  expect(await screen.findByText(/Plume SA/)).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Save" })).toBeNull();
});

test.each([
  ["checking", null, null, "VIES is being asked"],
  ["valid", "2026-03-01T12:00:00Z", "WAPI1", "VIES found the VAT id valid on 1 Mar 2026, so no tax is added"],
  ["valid", "2026-03-01T12:00:00Z", "WAPI1", "Consultation number WAPI1."],
  ["invalid", "2026-03-01T12:00:00Z", null, "VIES said on 1 Mar 2026 that the VAT id is not valid"],
  ["unavailable", null, null, "VIES does not answer at the moment"],
] as const)("billing details say of a VAT id that is %s what follows", async (state, answered_at, number, text) => {
  const vat_id_check = { state, answered_at, consultation_number: number };
  show(true, [http.organization.billingDetails.get({ ...details, vat_id_check })]);
  expect(await screen.findByText(new RegExp(text))).toBeTruthy();
});

test("billing details say nothing of VIES where it is not asked", async () => {
  show();
  await screen.findByDisplayValue("FR32123456789");
  expect(screen.queryByText(/VIES/)).toBeNull();
});

test("another currency is chosen where there are several, and is refused with what to do", async () => {
  const message = "The currency stays USD while there is a paid plan. Cancel the plan.";
  const euro = { code: "EUR", units_per_usd: "0.92", decimals: 2, is_default: false };
  const dollar = { code: "USD", units_per_usd: "1", decimals: 2, is_default: true };
  const { requests } = show(true, [
    http.currencies.list({ items: [dollar, euro] }),
    http.organization.billingDetails.update(refuse(409, "currencies.fixed", message, {}, "currency")),
  ]);
  await userEvent.click(await screen.findByLabelText("Currency"));
  await userEvent.click(await screen.findByRole("option", { name: "Euro (EUR)" }));
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(/Cancel the plan/)).toBeTruthy();
  expect(requests.find(({ method }) => method === "PUT")?.body).toMatchObject({ currency: "EUR" });
});
