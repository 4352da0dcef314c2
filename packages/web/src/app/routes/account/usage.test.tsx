import type { ActivityReportRow } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import { buildPage } from "@feather/testing/builders";
import type { StubHandlers } from "@feather/testing/stub";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { buildReceipt } from "#/testing/chat.ts";
import { maria, renderPage, searchParamsOf } from "#/testing/page.tsx";
import UsagePage from "./usage.tsx";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date(END) });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const DAY = "2026-11-21";
const END = `${DAY}T12:00:00Z`;
const RECEIPT = buildReceipt({
  model: "feather/demo",
  prompt_tokens: 1,
  completion_tokens: 2,
  units: 1,
  started_at: END,
  first_byte_ms: 5,
  duration_ms: 10,
});
const CONCURRENCIES = {
  limit: 4,
  peak: 4,
  items: [{ bucket_at: `${DAY}T00:00:00Z`, used_max: 4, used_avg: 1, rejected: 2 }],
};
const row = (group: ActivityReportRow["group"], request_count: number, cost_nano_usd = "0"): ActivityReportRow => ({
  group,
  request_count,
  error_count: 0,
  input_tokens: 10,
  output_tokens: 5,
  cost_nano_usd,
});

const server = (total: number, cost = "0"): StubHandlers => [
  http.auth.me(maria),
  http.apiKeys.list(buildPage([])),
  http.concurrency.get({ limit: 4, used_cost: 0, request_count: 0, requests: [] }),
  http.usage.activity.summary({
    start_date: `${DAY}T00:00:00Z`,
    end_date: END,
    totals: { request_count: total, input_tokens: 10, output_tokens: 5, total_tokens: 15, total_cost_nano_usd: cost },
  }),
  http.usage.concurrencies(CONCURRENCIES),
  http.usage.activity.requests({
    items: total > 0 ? [RECEIPT] : [],
    pagination: { current_page: 1, per_page: 25, total_items: total, total_pages: 1 },
  }),
  http.usage.activity.report(({ request }) => ({
    start_date: `${DAY}T00:00:00Z`,
    end_date: END,
    items: searchParamsOf(request).get("group_by")?.endsWith("outcome")
      ? [row({ day: DAY, outcome: "completed" }, 3), row({ day: DAY, outcome: "failed" }, 1)]
      : [row({ day: DAY, api_key: "" }, 4, cost)],
  })),
];
const show = (routes: StubHandlers, address = "/account/usage") =>
  renderPage(<UsagePage />, "/account/usage", address, routes);
const section = async (name: string) => within(await screen.findByRole("region", { name }));

test("every chart has a table: units against the limit, and the share of failed requests", async () => {
  show(server(4));
  const units = await section("Most units in use by day");
  expect(await units.findByText(/plan's limit: 4/)).toBeTruthy();
  await userEvent.click(units.getByText("As a table"));
  expect(units.getByRole("row", { name: "21 Nov 4 2" })).toBeTruthy();
  const failures = await section("Share of requests that failed");
  await userEvent.click(await failures.findByText("As a table"));
  expect(failures.getByRole("row", { name: "21 Nov 25.0 % – 4 3 –" })).toBeTruthy();
  expect(screen.getByText("all in use on 1 day")).toBeTruthy();
});

test("the usage page exports a chart as a file", async () => {
  const files: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    files.push(blob as Blob);
    return "blob:x";
  });
  show(server(4));
  const units = await section("Most units in use by day");
  const button = units.getByRole("button", { name: "Export units as CSV" });
  await waitFor(() => expect(button).toHaveProperty("disabled", false));
  await userEvent.click(button);
  expect(await files[0]?.text()).toBe("time,most at once,Refused,plan's limit\r\n2026-11-21,4,2,4\r\n");
});

test.each([
  ["nobody paid by the request", "0", 0],
  ["requests were charged", "58000", 1],
])("the usage page shows credits only if there are any: %s", async (_what, cost, shown) => {
  show(server(4, cost));
  await section("Share of requests that failed");
  await waitFor(() => expect(screen.queryAllByRole("region", { name: "Credits spent by key" })).toHaveLength(shown));
  if (shown > 0) expect((await section("Credits spent by key")).getAllByText("$0.000058").length).toBeGreaterThan(0);
});

test("the usage page shows which chart failed to load, and keeps the others", async () => {
  let shouldFail = true;
  show([
    http.usage.concurrencies(() =>
      shouldFail ? refuse(400, "invalid_request", "There are too many requests in this period.") : CONCURRENCIES,
    ),
    ...server(4),
  ]);
  const units = await section("Most units in use by day");
  expect((await units.findByRole("alert")).textContent).toContain("There are too many requests in this period.");
  expect((await section("Tokens by key")).queryByRole("alert")).toBeNull();
  shouldFail = false;
  await userEvent.click(units.getByRole("button", { name: "Try again" }));
  expect(await units.findByText(/plan's limit: 4/)).toBeTruthy();
});

test("the first request of a period appears in all figures without a reload", async () => {
  vi.useFakeTimers({ now: new Date(END), shouldAdvanceTime: true });
  let isFirstStored = false;
  const units = { ...CONCURRENCIES, items: [{ bucket_at: `${DAY}T00:00:00Z`, used_max: 0, used_avg: 0, rejected: 0 }] };
  show([http.usage.concurrencies(() => (isFirstStored ? CONCURRENCIES : units)), ...server(1)]);
  const chart = await section("Most units in use by day");
  expect(await chart.findByText(/No request held a unit in this period/)).toBeTruthy();
  isFirstStored = true;
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  expect(await chart.findByText(/plan's limit: 4/)).toBeTruthy();
});

test("the period is in the URL, and an empty one offers a longer one", async () => {
  const { router, requests } = show(server(0), "/account/usage?from=2026-11-01&to=2026-11-10&by=model");
  expect(await screen.findByRole("heading", { name: "Nothing was called in this period" })).toBeTruthy();
  expect(screen.getByRole("button", { name: /^Period/ }).textContent).toMatch(/^1\s?–\s?10 Nov 2026$/);
  await userEvent.click(screen.getByRole("button", { name: "Show the last 90 days" }));
  await waitFor(() => expect(router.state.location.search).toBe("?from=2026-08-24&to=2026-11-21&by=model"));
  expect(screen.queryByRole("button", { name: "Show the last 90 days" })).toBeNull();
  const units = () => requests.filter(({ path }) => path === "/usage/concurrencies").map(({ query }) => query);
  await waitFor(() => expect(units()).toHaveLength(2));
  expect(units().map((query) => [query.get("start"), query.get("end"), query.get("bucket")])).toEqual([
    [String(Date.parse("2026-11-01") / 1000), String(Date.parse("2026-11-11") / 1000), "day"],
    [String(Date.parse("2026-08-24") / 1000), String(Date.parse("2026-11-22") / 1000), "day"],
  ]);
});

test("any period can be chosen, one of a single day is shown by hour, and there is none without ends", async () => {
  const { router } = show(server(4));
  await userEvent.click(await screen.findByRole("button", { name: /^Period/ }));
  const dialog = within(await screen.findByRole("dialog", { name: "Period" }));
  expect(dialog.queryByRole("button", { name: "Any time" })).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: /^Tuesday,? 3 November 2026$/ }));
  await userEvent.click(dialog.getByRole("button", { name: /^Tuesday,? 3 November 2026$/ }));
  await waitFor(() => expect(router.state.location.search).toBe("?from=2026-11-03&to=2026-11-03"));
  expect(await screen.findByRole("region", { name: "Most units in use by the hour" })).toBeTruthy();
});

test("the requests stand in a view of their own, which keeps the period, and the overview has none", async () => {
  const { router } = show(
    [http.organization.members.list({ items: [] }), ...server(4)],
    "/account/usage?from=2026-11-01",
  );
  await section("Most units in use by day");
  expect(screen.queryByRole("table", { name: "Requests" })).toBeNull();
  await userEvent.click(screen.getByRole("link", { name: "Requests" }));
  expect(router.state.location.search).toBe("?from=2026-11-01&view=requests");
  const requests = within(await screen.findByRole("table", { name: "Requests" }));
  expect(await requests.findByRole("link", { name: /^Receipt of feather\/demo/ })).toBeTruthy();
});

test("the view of requests says what to do while nothing was called", async () => {
  show([http.organization.members.list({ items: [] }), ...server(0)], "/account/usage?view=requests");
  expect(await screen.findByRole("heading", { name: "Nothing was called in this period" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Open the chat" })).toBeTruthy();
});

test("the lanes label every unit and both ends of the time axis", async () => {
  show(server(4));
  const lanes = within(await screen.findByRole("img", { name: /Units held by/ }));
  for (const name of ["unit 1", "unit 4", "10 min ago", "now"]) expect(lanes.getByText(name)).toBeTruthy();
});

test("a period whose requests were removed says so, and still shows the sums", async () => {
  const removed = { kept_since_date: `${DAY}T00:00:00Z` };
  show([
    http.usage.concurrencies({ limit: 4, peak: 0, items: [], ...removed }),
    http.usage.activity.requests({ ...buildPage([]), ...removed }),
    ...server(4),
  ]);
  expect(await screen.findByText(/^Requests from before 21 November 2026 have been removed\./)).toBeTruthy();
  expect(await section("Share of requests that failed")).toBeTruthy();
  expect(screen.queryByText("Nothing was called in this period")).toBeNull();
  expect(screen.queryByText("0 of 4")).toBeNull();
});

test("a period with all its requests says nothing of removed ones", async () => {
  show([
    http.usage.activity.requests({ ...buildPage([RECEIPT]), kept_since_date: "2026-10-01T00:00:00Z" }),
    ...server(4),
  ]);
  await section("Share of requests that failed");
  expect(screen.queryByText(/have been removed/)).toBeNull();
});
