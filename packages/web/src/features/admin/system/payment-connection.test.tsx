import { http } from "@feather/sdk/msw";
import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import { PaymentConnection } from "./payment-connection.tsx";

afterEach(cleanup);

const problem = "The key lacks permissions: give it write for Refunds at Stripe, under Developers > API keys.";
const connection = {
  driver: "stripe" as const,
  is_test: false,
  account: { id: "acct_1", name: "Plume" },
  webhook: { state: "registered" as const, url: "https://feather.example.com/webhook", missing_events: [] },
  permissions: [{ name: "Refunds", access: "write" as const, state: "missing" as const }],
  problems: [problem],
};
const show = (body: typeof connection) =>
  renderPage(<PaymentConnection />, "/admin/settings", "/admin/settings", [http.admin.payments.check(body)]);

test("the connection to Stripe is checked on request, and shows what is missing", async () => {
  const { requests } = show(connection);
  expect(requests).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Check" }));
  expect(await screen.findByText(problem)).toBeTruthy();
  expect(screen.getByText(/Plume, acct_1 · live mode/)).toBeTruthy();
  expect(screen.getByText("Refunds, write")).toBeTruthy();
  expect(screen.getByText("registered with all events")).toBeTruthy();
});

test("the connection to Stripe says when nothing is missing", async () => {
  show({ ...connection, permissions: [], problems: [] });
  await userEvent.click(screen.getByRole("button", { name: "Check" }));
  expect(await screen.findByText("Nothing is missing")).toBeTruthy();
});
