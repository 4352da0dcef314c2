import type { StatusHour } from "@feather/sdk";
import { http, type Sent } from "@feather/sdk/msw";
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "#/testing/page.tsx";
import { LastDay } from "./last-day.tsx";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const hour = (started_at: string, more: Partial<StatusHour> = {}): Sent<StatusHour> => ({
  started_at,
  requests: 0,
  errors: 0,
  error_rate: null,
  p50_ttft_ms: null,
  tokens_per_s: null,
  ...more,
});
const QUIET_HOUR = hour("2026-11-21T13:00:00Z");
const show = (items: Sent<StatusHour>[]) =>
  renderPage(<LastDay />, "/status", "/status", [http.status.history({ updated_at: "2026-11-21T14:00:00Z", items })]);

test("without calls, each chart of the last day says so", async () => {
  show([QUIET_HOUR]);
  expect(await screen.findAllByText("No calls in the last 24 hours.")).toHaveLength(3);
  expect(screen.queryByText("The same as a table")).toBeNull();
});

test("with calls, charts and table have the figures, and an empty chart says what that means", async () => {
  const busy = { requests: 12, error_rate: 0, p50_ttft_ms: 240, tokens_per_s: 31 };
  show([QUIET_HOUR, hour("2026-11-21T14:00:00Z", busy)]);
  expect(await screen.findByText("No call has failed.")).toBeTruthy();
  expect(screen.queryByText("No calls in the last 24 hours.")).toBeNull();
  const table = screen.getByRole("table", { name: "Requests and speed by the hour", hidden: true });
  expect([...table.querySelectorAll("tbody td")].slice(1).map((cell) => cell.textContent)).toEqual([
    "12",
    "0.0 %",
    "240 ms",
    "31",
  ]);
});
