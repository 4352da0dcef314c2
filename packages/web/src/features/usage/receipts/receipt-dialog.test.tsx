import type { Receipt } from "@feather/sdk";
import { http } from "@feather/sdk/msw";
import { cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { buildReceipt } from "#/testing/chat.ts";
import { renderPage } from "#/testing/page.tsx";
import { ReceiptsTable } from "./receipts-table.tsx";

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

test("clicking a request opens its receipt with its figures and id", async () => {
  const place_costs = [
    { place: "server", name: "This server", cost_nano_usd: "0" },
    { place: "groq", name: "Groq", cost_nano_usd: "45200" },
  ];
  const table = <ReceiptsTable receipts={[RECEIPT]} keyNames={new Map([["key_1", "laptop"]])} />;
  renderPage(table, "/", "/", [http.usage.requests.get(buildReceipt({ place_costs }), { params: { id: "req_1" } })]);
  await userEvent.click(screen.getByRole("button", { name: /^Receipt of Qwen\/Qwen3-32B.*backend failed$/ }));
  const dialog = within(await screen.findByRole("dialog"));
  for (const expectedText of [
    "about 1,200, 1,000 of them cached",
    "250 ms",
    "3,410 ms",
    "2 units",
    "in the plan",
    "laptop",
    "Qwen/Qwen3-235B (model_loading)",
    "groq",
    "fast",
    "by price",
    "req_1",
  ])
    expect(dialog.getByText(expectedText)).toBeTruthy();
  expect(await dialog.findByText("$0.0000452, answered here")).toBeTruthy();
  expect(dialog.getByText("This server")).toBeTruthy();
  expect(screen.queryByText("upstream_error")).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});

test.each([
  [null, "with the organization's own key"],
  [2.5, "with the organization's own key; 2.5 % of the price here"],
])("the receipt says that the organization's own key paid, at a fee of %s", async (own_key_fee_percent, text) => {
  const receipt = { ...RECEIPT, own_key: true, own_key_fee_percent };
  renderPage(<ReceiptsTable receipts={[receipt]} keyNames={new Map()} />, "/", "/", []);
  await userEvent.click(screen.getByRole("button", { name: /^Receipt of/ }));
  expect(await screen.findByText(text)).toBeTruthy();
});
