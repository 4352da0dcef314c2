import { http, refuse } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ToastProvider } from "#/components/ui/feedback/toast.tsx";
import { adminHandlers, marketplacePurchase } from "#/testing/admin.ts";
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
