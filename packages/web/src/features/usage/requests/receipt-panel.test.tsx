import type { Receipt } from "@feather/sdk";
import { http, refuse } from "@feather/sdk/msw";
import type { StubHandlers } from "@feather/testing/stub";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { buildReceipt } from "#/testing/chat.ts";
import { renderPage } from "#/testing/page.tsx";
import { ReceiptPanel } from "./receipt-panel.tsx";

afterEach(cleanup);

const RECEIPT: Receipt = {
  id: "req_1",
  model: "Qwen/Qwen3-32B",
  alias: "fast",
  model_class: "qwen3-32b",
  deployment_id: null,
  kind: "chat",
  outcome: "failed",
  status: 502,
  error_code: "upstream_error",
  streamed: true,
  prompt_tokens: 1200,
  completion_tokens: 140,
  cached_tokens: 1000,
  audio_seconds: null,
  estimated: true,
  units: 2,
  api_key_id: "key_1",
  user_id: "usr_1",
  billing_mode: "subscription",
  cost_status: "not_applicable",
  cost_nano_usd: "0",
  price: null,
  started_at: new Date("2026-11-19T14:01:02Z"),
  place: "groq",
  chosen_by: "price",
  own_key: false,
  own_key_fee_percent: null,
  passed_over: [{ model: "Qwen/Qwen3-235B", reason: "model_loading" }],
  queued_ms: 250,
  first_byte_ms: null,
  duration_ms: 3410,
};

const NAMES = {
  keys: new Map([["key_1", "laptop"]]),
  members: new Map([["usr_1", "Maria Winter"]]),
};
const show = (receipt: Receipt | undefined, handlers: StubHandlers = []) => {
  const close = vi.fn();
  renderPage(<ReceiptPanel id="req_1" listed={receipt} names={NAMES} close={close} />, "/", "/", handlers);
  return close;
};

test("the receipt of a request has its figures, its key, who made it, and its id", async () => {
  const place_costs = [
    { place: "server", name: "This server", cost_nano_usd: "0" },
    { place: "groq", name: "Groq", cost_nano_usd: "45200" },
  ];
  const answered = buildReceipt({ ...RECEIPT, started_at: "2026-11-19T14:01:02Z", place_costs });
  const close = show(RECEIPT, [http.usage.requests.get(answered, { params: { id: "req_1" } })]);
  const panel = within(await screen.findByRole("dialog", { name: "Receipt" }));
  for (const expectedText of [
    "about 1,200, 1,000 of them cached",
    "250 ms",
    "3,410 ms",
    "2 units",
    "in the plan",
    "laptop",
    "Maria Winter",
    "Qwen/Qwen3-235B (model_loading)",
    "groq",
    "fast",
    "by price",
    "req_1",
    "feather usage show req_1",
  ])
    expect(panel.getByText(expectedText)).toBeTruthy();
  expect(await panel.findByText("$0.0000452, answered here")).toBeTruthy();
  expect(panel.getByText("This server")).toBeTruthy();
  expect(screen.queryByText("upstream_error")).toBeNull();
  await userEvent.click(panel.getByRole("button", { name: "Close" }));
  expect(close).toHaveBeenCalledOnce();
});

test.each([
  [null, "with the organization's own key"],
  [2.5, "with the organization's own key; 2.5 % of the price here"],
])("the receipt says that the organization's own key paid, at a fee of %s", async (own_key_fee_percent, text) => {
  show({ ...RECEIPT, own_key: true, own_key_fee_percent });
  expect(await screen.findByText(text)).toBeTruthy();
});

test("a receipt that is not in the list is read, and one that is not there says so", async () => {
  show(undefined, [http.usage.requests.get(buildReceipt({ model: "feather/demo", user_id: null }))]);
  expect(await screen.findByText("feather/demo")).toBeTruthy();
  expect(screen.queryByText("Member")).toBeNull();
  show(undefined, [http.usage.requests.get(refuse(404, "usage.not_found", "There is no request req_1."))]);
  expect((await screen.findByRole("alert")).textContent).toContain("There is no request req_1.");
});
