import type { Receipt } from "@feather/sdk";
import { cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test } from "vitest";
import { ReceiptsTable } from "./receipts-table.tsx";

afterEach(cleanup);

const RECEIPT: Receipt = {
  id: "req_1",
  model: "Qwen/Qwen3-32B",
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
  billing_mode: "subscription",
  cost_status: "not_applicable",
  cost_nano_usd: "0",
  price: null,
  started_at: new Date("2026-11-19T14:01:02Z"),
  place: "groq",
  passed_over: [{ model: "Qwen/Qwen3-235B", reason: "model_loading" }],
  queued_ms: 250,
  first_byte_ms: null,
  duration_ms: 3410,
};

test("clicking a request opens its receipt with its figures and id", async () => {
  render(<ReceiptsTable receipts={[RECEIPT]} keyNames={new Map([["key_1", "laptop"]])} />);
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
    "req_1",
  ])
    expect(dialog.getByText(expectedText)).toBeTruthy();
  expect(screen.queryByText("upstream_error")).toBeNull();
  await userEvent.click(dialog.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("dialog")).toBeNull();
});
