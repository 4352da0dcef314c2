import type { ErrorCode, MarketplaceAccount } from "@feather/sdk";
import { http, refuse, type Sent } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, test, vi } from "vitest";
import { viewer } from "#/testing/billing.ts";
import { maria, NOTHING_SOLD, renderPage } from "#/testing/page.tsx";
import ConnectMarketplaceAccountPage from "./connect-marketplace-account.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const ACCOUNT: Sent<MarketplaceAccount> = {
  provider: "aws",
  customer_id: "cust-1",
  product: "feather_max",
  status: "active",
  is_test: true,
};
const show = (query = "?provider=aws&token=test_cust-1_feather_max", routes: StubHandlers = []) =>
  renderPage(
    <ConnectMarketplaceAccountPage />,
    "/connect-marketplace-account",
    `/connect-marketplace-account${query}`,
    [...routes, http.auth.me(maria), http.marketplace.subscribe(ACCOUNT)],
  );
const press = async () => userEvent.click(await screen.findByRole("button", { name: "Connect it to Winter & Sons" }));
const posts = (requests: ReturnType<typeof show>["requests"]) => requests.filter(({ method }) => method === "POST");

test("a marketplace is connected once, after showing to which organization", async () => {
  const { requests } = show();
  expect(await screen.findByRole("heading", { name: "Connect AWS Marketplace" })).toBeTruthy();
  expect(posts(requests)).toEqual([]);
  await userEvent.dblClick(await screen.findByRole("button", { name: "Connect it to Winter & Sons" }));
  expect(await screen.findByRole("heading", { name: "Connected" })).toBeTruthy();
  expect(posts(requests).map(({ body }) => body)).toEqual([{ provider: "aws", token: "test_cust-1_feather_max" }]);
  expect(screen.getByText(/This is a test: no money moves/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "See the plan" }).getAttribute("href")).toBe("/account");
});

test("the page of a marketplace shows that a purchase is not confirmed yet", async () => {
  show(undefined, [http.marketplace.subscribe({ ...ACCOUNT, status: "pending", product: "gift" })]);
  await press();
  expect(await screen.findByRole("heading", { name: "Connected, not active yet" })).toBeTruthy();
  expect(screen.getByText("gift")).toBeTruthy();
  expect(screen.getByText(/has not confirmed the purchase yet/)).toBeTruthy();
});

describe("a refused marketplace connection", () => {
  test.each<[number, ErrorCode, string]>([
    [400, "marketplace.invalid_token", "token is not valid. Start again from the marketplace."],
    [409, "marketplace.token_used", "This token was used. Start again from the marketplace."],
    [409, "marketplace.account_taken", "This marketplace account pays for another organization."],
    [403, "organization_permission_denied", "You may not do this."],
  ])("a refused marketplace connection with %d %s shows the reason", async (status, code, message) => {
    show(undefined, [http.marketplace.subscribe(refuse(status, code, message))]);
    await press();
    expect((await screen.findByRole("alert")).textContent).toContain(message);
  });

  test("a refused marketplace connection links to the plan that is already paid here", async () => {
    const message = "You pay for a plan here. Cancel it, and connect the marketplace when its period is over.";
    show(undefined, [http.marketplace.subscribe(refuse(409, "marketplace.plan_is_paid", message))]);
    await press();
    expect((await screen.findByRole("link", { name: "See the plan" })).getAttribute("href")).toBe("/account");
  });

  test("a refused marketplace connection after a lost connection is retried as the same call", async () => {
    let shouldFail = true;
    const { requests } = show(undefined, [
      http.marketplace.subscribe(() => {
        if (shouldFail) throw new TypeError("fetch failed");
        return ACCOUNT;
      }),
    ]);
    await press();
    expect((await screen.findByRole("alert")).textContent).toContain("The server cannot be reached.");
    shouldFail = false;
    await press();
    expect(await screen.findByRole("heading", { name: "Connected" })).toBeTruthy();
    expect(new Set(posts(requests).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });
});

test.each([
  ["", /The address holds no token/],
  ["?provider=aws", /The address holds no token/],
  ["?token=abc", /does not say which marketplace/],
  ["?provider=%3Cb%3E&token=abc", /does not say which marketplace/],
])("the URL %j is not sufficient", async (query, message) => {
  const { requests } = show(query);
  expect(await screen.findByText(message)).toBeTruthy();
  expect(screen.queryByRole("button")).toBeNull();
  expect(posts(requests)).toEqual([]);
});

test("a viewer sees whom to ask", async () => {
  const { requests } = show(undefined, [http.auth.me(viewer)]);
  expect((await screen.findByRole("note")).textContent).toContain("You are a viewer of Winter & Sons.");
  expect(screen.queryByRole("button")).toBeNull();
  expect(posts(requests)).toEqual([]);
});

test("connects nothing if marketplaces are switched off, and says so", async () => {
  show(undefined, [http.system.config(NOTHING_SOLD)]);
  expect((await screen.findByRole("note")).textContent).toContain("Cloud marketplaces are switched off");
  expect(screen.queryByRole("button", { name: "Connect it to Winter & Sons" })).toBeNull();
});
