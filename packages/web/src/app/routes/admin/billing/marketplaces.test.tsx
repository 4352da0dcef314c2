import { http, refuse } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import {
  adminHandlers,
  marketplaceBalance,
  marketplaceMeter,
  marketplacePayout,
  marketplacePurchase,
  marketplaceUsage,
} from "#/testing/admin.ts";
import { renderPage } from "#/testing/page.tsx";
import AdminMarketplacesPage from "./marketplaces.tsx";

afterEach(cleanup);

const show = (purchase: typeof marketplacePurchase, routes: StubHandlers = []) =>
  renderPage(
    <ToastProvider>
      <AdminMarketplacesPage />
    </ToastProvider>,
    "/x",
    "/x",
    [http.admin.marketplaces.list(buildPage([purchase])), ...routes, ...adminHandlers],
  );
const choose = async (action: string) => {
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Acme" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: action }));
};
const params = { params: { id: "mkt_1" } };

test("a pending purchase says why it waits, and that it was settled", async () => {
  const settled = { ...marketplacePurchase, status: "active" as const, plan_id: "feather_max", note: null };
  show(marketplacePurchase, [http.admin.marketplaces.settle(settled, params)]);
  expect(await screen.findByText("The marketplace has not confirmed the purchase yet.")).toBeTruthy();
  await choose("Ask the marketplace");
  expect(await screen.findByText("The purchase for Acme is active")).toBeTruthy();
});

test("a marketplace that does not answer is shown in words", async () => {
  const words = "Azure Marketplace does not answer at the moment. Try again in a minute.";
  show(marketplacePurchase, [http.admin.marketplaces.settle(refuse(503, "marketplace.unavailable", words), params)]);
  await choose("Ask the marketplace");
  expect(await screen.findByText(words)).toBeTruthy();
});

test("a pending purchase is rejected with a reason", async () => {
  const rejected = { ...marketplacePurchase, status: "canceled" as const };
  const { requests } = show(marketplacePurchase, [http.admin.marketplaces.reject(rejected, params)]);
  await choose("Reject");
  await userEvent.click(await screen.findByRole("button", { name: "Reject it" }));
  expect(await screen.findByText("Reason is needed.")).toBeTruthy();
  await userEvent.type(await screen.findByLabelText("Reason"), "Not signed");
  await userEvent.click(await screen.findByRole("button", { name: "Reject it" }));
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
      { reason: "Not signed" },
    ]),
  );
});

test("only a pending purchase can be rejected", async () => {
  show({ ...marketplacePurchase, status: "active", plan_id: "feather_max" });
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Acme" }));
  expect(await screen.findByRole("menuitem", { name: "Ask the marketplace" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Reject" })).toBeNull();
});

const showView = (view: string, routes: StubHandlers) =>
  renderPage(
    <ToastProvider>
      <AdminMarketplacesPage />
    </ToastProvider>,
    "/x",
    `/x?view=${view}`,
    [...routes, ...adminHandlers],
  );

test("metered usage that the marketplace refused says why, and what it was worth", async () => {
  showView("usage", [http.admin.marketplaces.usage(buildPage([marketplaceUsage]))]);
  expect(await screen.findByText("The customer has no subscription any more.")).toBeTruthy();
  expect(screen.getByText("$2.50")).toBeTruthy();
});

test("an admin meters an offer, and a price that is none is refused in words", async () => {
  const params = { params: { provider: "aws", offer: "feather_request_pricing" } };
  const { requests } = showView("meters", [
    http.admin.marketplaces.meters.list({ items: [] }),
    http.admin.marketplaces.meters.set(marketplaceMeter, params),
  ]);
  expect(await screen.findByText("Nothing is metered")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Meter an offer" }));
  await userEvent.type(await screen.findByLabelText("Offer"), "feather_request_pricing");
  await userEvent.type(await screen.findByLabelText("Dimension"), "extra_usage");
  const price = await screen.findByLabelText("Price of a unit, in US dollars");
  await userEvent.clear(price);
  await userEvent.type(price, "0");
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  expect(await screen.findByText(/^Price is not valid/)).toBeTruthy();
  await userEvent.type(price, ".01");
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(requests.filter(({ method }) => method === "PUT").map(({ body }) => body)).toEqual([
      { dimension: "extra_usage", unit_price_usd: "0.01", max_monthly_usd_cents: 50_000 },
    ]),
  );
});

test("an admin stops metering an offer after a question", async () => {
  const params = { params: { provider: "aws", offer: "feather_request_pricing" } };
  const { requests } = showView("meters", [
    http.admin.marketplaces.meters.list({ items: [marketplaceMeter] }),
    http.admin.marketplaces.meters.remove(undefined, params),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for feather_request_pricing" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Stop metering" }));
  await userEvent.click(await screen.findByRole("button", { name: "Stop metering" }));
  await waitFor(() => expect(requests.some(({ method }) => method === "DELETE")).toBe(true));
});

const payoutsOf = (...items: (typeof marketplacePayout)[]) =>
  http.admin.marketplaces.payouts.list({ balances: [marketplaceBalance], ...buildPage(items) });
async function openRecording(): Promise<void> {
  await screen.findByText("No payouts yet");
  await userEvent.click(screen.getByRole("button", { name: "Record a payout" }));
}

test("an admin records a payout, and amounts that are none are refused in words", async () => {
  const { requests } = showView("payouts", [payoutsOf(), http.admin.marketplaces.payouts.record(marketplacePayout)]);
  await openRecording();
  expect((await screen.findAllByText("AWS Marketplace, $150.00 open")).length).toBeGreaterThan(0);
  await userEvent.type(await screen.findByLabelText("Reference"), "DISB-42");
  await userEvent.type(screen.getByLabelText("What arrived, in US dollars"), "much");
  await userEvent.click(screen.getByRole("button", { name: "Record it" }));
  expect(await screen.findByText(/^Amount is not valid/)).toBeTruthy();
  expect(screen.getByText("Day is needed.")).toBeTruthy();
  fireEvent.change(screen.getByLabelText("Paid on"), { target: { value: "2026-11-28" } });
  const amount = screen.getByLabelText("What arrived, in US dollars");
  await userEvent.clear(amount);
  await userEvent.type(amount, "97");
  const fee = screen.getByLabelText("What the marketplace kept, in US dollars");
  await userEvent.clear(fee);
  await userEvent.type(fee, "3");
  await userEvent.click(screen.getByRole("button", { name: "Record it" }));
  expect(await screen.findByText("The payout DISB-42 is recorded")).toBeTruthy();
  const { provider, reference, paid_on, amount_usd_cents, fee_usd_cents } = marketplacePayout;
  expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { provider, reference, paid_on, amount_usd_cents, fee_usd_cents },
  ]);
});

test("a payout above what is open says so, and the form keeps what was typed", async () => {
  const words = "AWS Marketplace owes $150.00 for metered usage, and the payout with its fee is $900.00.";
  const refusal = refuse(409, "marketplace.payout_too_high", words);
  showView("payouts", [payoutsOf(), http.admin.marketplaces.payouts.record(refusal)]);
  await openRecording();
  await userEvent.type(await screen.findByLabelText("Reference"), "R");
  fireEvent.change(screen.getByLabelText("Paid on"), { target: { value: "2026-11-28" } });
  await userEvent.type(screen.getByLabelText("What arrived, in US dollars"), "900");
  await userEvent.click(screen.getByRole("button", { name: "Record it" }));
  expect((await screen.findAllByText(words)).length).toBeGreaterThan(0);
  expect(screen.getByLabelText("What arrived, in US dollars")).toHaveProperty("value", "900");
});

test("an admin reverses a payout with a reason", async () => {
  const reversed = { ...marketplacePayout, reversed_at: "2026-11-30T10:00:00Z", reversal_reason: "Wrong month" };
  const { requests } = showView("payouts", [
    payoutsOf(marketplacePayout),
    http.admin.marketplaces.payouts.reverse(reversed, { params: { id: "mpo_1" } }),
  ]);
  await userEvent.click(await screen.findByRole("button", { name: "Actions for DISB-42" }));
  await userEvent.click(await screen.findByRole("menuitem", { name: "Reverse" }));
  await userEvent.click(await screen.findByRole("button", { name: "Reverse it" }));
  expect(await screen.findByText("Reason is needed.")).toBeTruthy();
  await userEvent.type(screen.getByLabelText("Reason"), "Wrong month");
  await userEvent.click(screen.getByRole("button", { name: "Reverse it" }));
  expect(await screen.findByText("The payout DISB-42 is reversed")).toBeTruthy();
  expect(requests.filter(({ method }) => method === "POST").map(({ body }) => body)).toEqual([
    { reason: "Wrong month" },
  ]);
});

test("a payout that was reversed says why, and cannot be reversed again", async () => {
  showView("payouts", [
    payoutsOf({ ...marketplacePayout, reversed_at: "2026-11-30T10:00:00Z", reversal_reason: "Wrong month" }),
  ]);
  expect(await screen.findByText("Wrong month")).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Reverse" })).toBeNull();
});

test("nothing can be recorded where no marketplace owes anything", async () => {
  showView("payouts", [http.admin.marketplaces.payouts.list({ balances: [], ...buildPage([]) })]);
  expect(await screen.findByText("No payouts yet")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Record a payout" })).toHaveProperty("disabled", true);
});
