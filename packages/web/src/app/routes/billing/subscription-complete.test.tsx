import { http, refuse } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { billingHandlers, invoice, liteSubscription, premiumSubscription, scale, viewer } from "#/testing/billing.ts";
import { neverSettles, renderPage } from "#/testing/page.tsx";
import SubscriptionCompletePage from "./subscription-complete.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const show = (subscription: typeof premiumSubscription, query = "", routes: StubHandlers = []) =>
  renderPage(<SubscriptionCompletePage />, "/subscription/complete", `/subscription/complete${query}`, [
    ...routes,
    ...billingHandlers(subscription),
  ]);
const PREMIUM = "?plan=feather_pro_plus&quantity=1";
const SCALE = "?plan=feather_scale&quantity=2";
const heading = async (name: string) => expect(await screen.findByRole("heading", { name })).toBeTruthy();

describe("a completed change", () => {
  test("a completed change shows the plan, its invoice, and that it was a test", async () => {
    show(premiumSubscription, PREMIUM);
    await heading("You are on Premium");
    expect((await screen.findByRole("link", { name: "F-2026-0041" })).getAttribute("href")).toBe(
      "/api/invoices/inv_1/page",
    );
    expect(screen.getByText(/No money moved/)).toBeTruthy();
  });

  test.each([
    [{ status: "trialing", trial_end_date: "2026-12-01T00:00:00Z" }, "Your trial of Premium has begun", PREMIUM],
    [{ cancel_at_period_end: true }, "Premium ends on 1 December 2026", "?plan=feather_lite"],
    [
      { pending_change: { plan_id: "feather_basic", quantity: 1, effective_date: "2026-12-01T00:00:00Z" } },
      "Your plan changes on 1 December 2026",
      "?plan=feather_basic",
    ],
  ] as const)("a completed change with %j", async (change, title, query) => {
    show({ ...premiumSubscription, ...change }, query);
    await heading(title);
  });

  test("a completed change does not take an invoice for credits for that of the plan", async () => {
    const credits = { ...invoice, id: "inv_2", number: "F-2026-0042", period_start_date: null, period_end_date: null };
    show(premiumSubscription, PREMIUM, [http.invoices.list(buildPage([credits, invoice]))]);
    await heading("You are on Premium");
    expect(await screen.findByRole("link", { name: "F-2026-0041" })).toBeTruthy();
    expect(screen.queryByText("F-2026-0042")).toBeNull();
  });

  test("a completed change requests nothing that a viewer may not see", async () => {
    const { requests } = show(premiumSubscription, PREMIUM, [http.auth.me(viewer)]);
    await heading("You are on Premium");
    expect(requests.filter(({ path }) => path === "/invoices")).toEqual([]);
  });
});

test("the page after a purchase polls until the plan is active", async () => {
  let asks = 0;
  show(premiumSubscription, `${SCALE}&state=pending`, [
    http.subscription.get(() =>
      ++asks === 1 ? premiumSubscription : { ...premiumSubscription, plan: scale, quantity: 2 },
    ),
  ]);
  await heading("The payment for Scale is on its way");
  await heading("You are on Scale");
});

test("the page after a purchase offers to check again if the change is not confirmed in time", async () => {
  const began = Date.now();
  const clock = vi.spyOn(Date, "now").mockImplementation(() => began);
  show(premiumSubscription, SCALE, [
    http.subscription.get(() => {
      clock.mockImplementation(() => began + 61_000);
      return premiumSubscription;
    }),
  ]);
  await heading("Not confirmed yet");
  await userEvent.click(screen.getByRole("button", { name: "Look again" }));
  await heading("The payment for Scale is on its way");
  clock.mockRestore();
});

describe("a failed change", () => {
  test("a failed change tells that nothing was charged, and links back to the same choice", async () => {
    show(liteSubscription, `${SCALE}&state=failed`);
    await heading("The payment did not go through");
    expect(screen.getByText("Nothing was charged. You are on Lite, as before.")).toBeTruthy();
    const again = screen.getByRole("link", { name: "Try again" });
    expect(again.getAttribute("href")).toBe("/subscription/change?plan=feather_scale&quantity=2");
  });

  test("a failed change links to the open invoice", async () => {
    show({ ...premiumSubscription, status: "past_due" }, PREMIUM);
    expect((await screen.findByRole("link", { name: "See the invoice" })).getAttribute("href")).toBe(
      "/account#invoices",
    );
  });
});

test.each(["", "?state=pending"])("opened directly with '%s' tells that there is nothing to finish", async (query) => {
  const { requests } = show(premiumSubscription, query);
  await heading("There is nothing to finish here");
  expect(screen.getByRole("link", { name: "See the plan" }).getAttribute("href")).toBe("/account");
  expect(requests.filter(({ path }) => path === "/subscription" || path === "/invoices")).toEqual([]);
});

test("the page after a purchase shows that it is loading, and retries after a failure", async () => {
  show(premiumSubscription, PREMIUM, [http.subscription.get(neverSettles)]);
  await heading("Please wait …");
  show(premiumSubscription, PREMIUM, [http.subscription.get(refuse(500, "internal_error", "x"))]);
  expect((await screen.findByRole("alert")).textContent).toContain("The plan cannot be read just now.");
});
