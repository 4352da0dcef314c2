import "fake-indexeddb/auto";
import type { ActivityReport, AttentionItem } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import { buildApiKey, buildModel, buildPage, buildUser } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { openBrowserStore } from "#/features/chat/conversation/store/browser-store.ts";
import { conversation } from "#/testing/conversations.ts";
import { maria, renderPage } from "#/testing/page.tsx";
import HomePage from "./home.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const IDLE = { used_cost: 0, limit: 4, request_count: 0, requests: [] };
const reportOf = (...items: ActivityReport["items"]) =>
  http.usage.activity.report({ start_date: "2026-10-22", end_date: "2026-11-21", items });
const show = (user: ReturnType<typeof buildUser>, handlers: StubHandlers = []) =>
  renderPage(<HomePage />, "/", "/", [
    ...handlers,
    http.auth.me(user),
    http.attention.list({ items: [] }),
    http.concurrency.get(IDLE),
    http.models.list(buildPage([])),
    http.apiKeys.list(buildPage([])),
    reportOf(),
    http.invoices.list(buildPage([])),
  ]);
const panel = async (name: string) => within(await screen.findByRole("region", { name }));

test("the home page of a user shows the units in use with the requests that hold them", async () => {
  const request = {
    id: "req_1",
    cost: 2,
    model: "Qwen/Qwen3-32B",
    started_at: "2026-11-21T12:00:00Z",
    duration_ms: 9,
    output_tokens: null,
    tokens_per_second: null,
    is_own: true,
  };
  const { requests: _, ...idle } = IDLE;
  show(maria, [http.concurrency.get({ ...idle, used_cost: 2, request_count: 1, requests: [request] })]);
  const units = await panel("Units in use");
  expect(await units.findByText("2 of 4")).toBeTruthy();
  expect(units.getByRole("listitem").textContent).toBe("Qwen/Qwen3-32B2 units");
});

const item = (kind: AttentionItem["kind"], more: Partial<AttentionItem> = {}): AttentionItem => ({
  kind,
  severity: "warning",
  subject_id: "id_1",
  subject: "Acme",
  count: null,
  happens_at: null,
  message: "In English.",
  ...more,
});
const showAttention = (...items: AttentionItem[]) => show(maria, [http.attention.list({ items })]);

test.each([
  ["webhook_off", {}, "The webhook to Acme was switched off.", "/account/organization/webhooks"],
  ["webhook_failing", {}, "Events cannot be delivered to Acme.", "/account/organization/webhooks"],
  ["key_expiring", {}, "The key Acme ends within 7 days.", "/account/api-keys"],
  ["key_spent", {}, "The key Acme has spent most of its limit.", "/account/api-keys"],
  ["key_spent", { severity: "error" }, "The key Acme has spent its limit.", "/account/api-keys"],
  ["budget_spent", {}, "Most of the budget of Acme is spent.", "/account/organization"],
  [
    "budget_spent",
    { severity: "error", subject: null },
    "The organization's budget is spent.",
    "/account/organization",
  ],
  ["deployment_failed", {}, "The deployment Acme does not run.", "/account/private-cloud/deployments/id_1"],
  ["card_expiring", { subject: "4242" }, "The card that ends in 4242 expires soon.", "/account/payment-methods"],
  [
    "card_expiring",
    { subject: "4242", severity: "error" },
    "The card that ends in 4242 has expired.",
    "/account/payment-methods",
  ],
  ["card_missing", {}, "The plan has no card to which it can be charged.", "/account/payment-methods"],
  ["invoice_unpaid", {}, "The invoice Acme could not be charged.", "/account"],
  ["top_ups_paused", {}, "Automatic top-ups are paused.", "/account"],
  [
    "billing_details_refused",
    { subject: "address" },
    "The address that was changed at the payment service does not fit here, for example the VAT id. Enter it in the billing details.",
    "/account#billing-details",
  ],
  [
    "billing_details_refused",
    { subject: "email" },
    "The e-mail address that was changed at the payment service is not valid. Enter it in the billing details.",
    "/account#billing-details",
  ],
  ["invitations_open", { count: 2 }, "2 invitations are not accepted yet.", "/account/organization?view=invitations"],
  [
    "purchases_pending",
    { count: 1 },
    "1 purchase at a cloud marketplace is pending.",
    "/admin/marketplaces?status=pending",
  ],
  ["disk_nearly_full", {}, "The disk of the server has less than 5 GB free.", "/admin/downloads"],
  ["disk_nearly_full", { severity: "error" }, "The disk of the server has less than 1 GB free.", "/admin/downloads"],
  ["backend_down", {}, "The backend Acme does not answer.", "/admin/backends"],
  ["mail_failed", { count: 2 }, "2 messages of the last 7 days could not be delivered.", "/admin/outbox?state=failed"],
  ["accounts_waiting", { count: 1 }, "1 account waits for approval.", "/admin/users?status=pending"],
  ["models_requested", { count: 3 }, "People ask for 3 models that do not run.", "/admin/model-requests"],
] as const)(
  "the home page says of %s %j what it is, and links to where it is mended",
  async (kind, more, words, to) => {
    showAttention(item(kind, more));
    const list = await panel("Needs your attention");
    expect(list.getByRole("link", { name: words }).getAttribute("href")).toBe(to);
  },
);

test("the home page shows five things that need attention, and the others when asked", async () => {
  showAttention(...Array.from({ length: 8 }, (_, index) => item("key_expiring", { subject_id: `key_${index}` })));
  const list = await panel("Needs your attention");
  expect(list.getAllByRole("listitem")).toHaveLength(5);
  await userEvent.click(list.getByRole("button", { name: "Show 3 more" }));
  expect(list.getAllByRole("listitem")).toHaveLength(8);
});

test("the home page says nothing about attention where nothing needs it", async () => {
  showAttention();
  await panel("Units in use");
  expect(screen.queryByRole("region", { name: "Needs your attention" })).toBeNull();
});

test("the home page is there when what needs attention cannot be read", async () => {
  show(maria, [http.attention.list(refuse(500, "internal_error", "x"))]);
  await panel("Units in use");
  expect(screen.getByText(/What needs your attention cannot be read just now/)).toBeTruthy();
});

test("the home page shows requests, failures and spending of seven days against the seven before", async () => {
  const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const row = (daysAgo: number, request_count: number, error_count: number, cost_nano_usd: string) => ({
    group: { day: day(daysAgo) },
    request_count,
    error_count,
    input_tokens: 1,
    output_tokens: 1,
    cost_nano_usd,
  });
  show(maria, [reportOf(row(0, 30, 3, "20000000"), row(8, 20, 0, "40000000"))]);
  const week = await panel("The last 7 days");
  expect(await week.findByText("50 % more than in the 7 days before")).toBeTruthy();
  expect(week.getByText("3 requests")).toBeTruthy();
  expect(week.getByText("$0.02")).toBeTruthy();
  expect(week.getByText("50 % less than in the 7 days before")).toBeTruthy();
});

test("the home page shows tokens where no call was charged", async () => {
  const group = { day: new Date().toISOString().slice(0, 10) };
  const used = { request_count: 1, error_count: 0, input_tokens: 1200, output_tokens: 34, cost_nano_usd: "0" };
  show(maria, [reportOf({ group, ...used })]);
  const week = await panel("The last 7 days");
  expect(await week.findByText("1,234")).toBeTruthy();
  expect(week.queryByText("Spent")).toBeNull();
});

test("the home page shows someone who has called nothing how to begin", async () => {
  show(maria);
  const week = await panel("The last 7 days");
  expect((await week.findByRole("link", { name: "Make the first call" })).getAttribute("href")).toBe(
    "/docs/quickstart",
  );
});

test("links each warm model to its page and to a chat with it", async () => {
  show(maria, [http.models.list(buildPage([buildModel({ id: "feather/demo" })]))]);
  const warm = await panel("Warm models");
  expect((await warm.findByRole("link", { name: "Chat with feather/demo" })).getAttribute("href")).toBe(
    "/chat?model=feather%2Fdemo",
  );
  expect(warm.getByRole("link", { name: /^feather/ }).getAttribute("href")).toBe("/models/feather/demo");
});

test("lists the keys that were used last, with their use in 30 days", async () => {
  const keys = [
    buildApiKey({ id: "key_1", name: "old", last_used_at: "2026-11-01T00:00:00Z" }),
    buildApiKey({ id: "key_2", name: "unused", last_used_at: null }),
    buildApiKey({ id: "key_3", name: "new", last_used_at: "2026-11-20T00:00:00Z" }),
  ];
  const used = {
    group: { api_key: "key_3" },
    request_count: 12,
    error_count: 0,
    input_tokens: 1,
    output_tokens: 1,
    cost_nano_usd: "20000000",
  };
  show(maria, [http.apiKeys.list(buildPage(keys)), reportOf(used)]);
  const list = await panel("API keys");
  expect(await list.findByText("12 requests · $0.02")).toBeTruthy();
  expect(list.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "new12 requests · $0.02",
    "old0 requests",
    "unused0 requests",
  ]);
});

test("the home page of a user shows what a key has spent of its budget", async () => {
  const budget = { spend_limit_nano_usd: "10000000000", limit_reset: "month", spent_nano_usd: "3200000000" } as const;
  show(maria, [http.apiKeys.list(buildPage([buildApiKey({ name: "ci", ...budget })]))]);
  const list = await panel("API keys");
  expect(await list.findByText("$3.20 of $10.00 this month")).toBeTruthy();
  expect(list.getByRole("meter", { name: "Budget of ci" })).toBeTruthy();
});

test("links to the latest chats of this browser, without deleted ones", async () => {
  const store = await openBrowserStore(maria.id);
  for (const [id, updatedAt, deletedAt] of [
    ["first", 1, null],
    ["second", 2, null],
    ["deleted", 3, 4],
  ] as const)
    await store.write(id, () => conversation({ id, title: id, updatedAt, deletedAt }), []);
  store.close();
  show(maria);
  const chats = await panel("Latest chats");
  await chats.findByText("second");
  expect(chats.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/chat",
    "/chat?c=second",
    "/chat?c=first",
  ]);
});

test("the home page of a user says that there are no chats in this browser yet", async () => {
  show(buildUser({ id: "usr_2" }));
  expect(await (await panel("Latest chats")).findByText("None in this browser yet.")).toBeTruthy();
});

test.each([
  ["admin", true, true],
  ["developer", true, false],
  ["viewer", false, false],
] as const)("a %s sees keys: %s, plan and invoices: %s", async (role, keys, billing) => {
  show(buildUser({ role }));
  await panel("Units in use");
  expect(screen.queryByRole("region", { name: "API keys" }) !== null).toBe(keys);
  expect(screen.queryByRole("region", { name: "Plan and invoices" }) !== null).toBe(billing);
});

test("a part that cannot be read says so and can be read again, and the others are there", async () => {
  let shouldFail = true;
  show(maria, [http.concurrency.get(() => (shouldFail ? refuse(500, "internal_error", "x") : IDLE))]);
  const units = await panel("Units in use");
  expect(await units.findByText(/cannot be read just now/)).toBeTruthy();
  expect(await (await panel("Warm models")).findByText(/None just now/)).toBeTruthy();
  shouldFail = false;
  await userEvent.click(units.getByRole("button", { name: "Try again" }));
  expect(await units.findByText("0 of 4")).toBeTruthy();
});

test.each([
  ["a viewer", buildUser({ role: "viewer" }), false],
  ["a developer", buildUser({ role: "developer" }), true],
  ["an admin who acts as somebody else", buildUser({ impersonated_by: "usr_9" }), false],
] as const)("the home page offers %s to make a key only if they may", async (_, user, isOffered) => {
  show(user, [http.apiKeys.list(buildPage([buildApiKey()]))]);
  await screen.findByRole("link", { name: "New chat" });
  expect(screen.queryByRole("link", { name: "Make a key" }) !== null).toBe(isOffered);
});
