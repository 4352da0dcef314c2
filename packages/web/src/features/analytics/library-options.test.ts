import type { CaptureResult } from "posthog-js";
import { expect, test, vi } from "vitest";
import { createLibraryOptions } from "./library-options.ts";

const warn = vi.fn();
const options = createLibraryOptions("https://stats.example", warn);

test.each([
  ["api_host", "https://stats.example"],
  ["capture_pageview", false],
  ["autocapture", false],
  ["person_profiles", "always"],
  ["rate_limiting", { events_per_second: 10, events_burst_limit: 100 }],
  ["session_idle_timeout_seconds", 1800],
  ["cookie_expiration", 365],
  ["feature_flag_request_timeout_ms", 3000],
  ["disable_external_dependency_loading", true],
  ["opt_out_capturing_by_default", true],
  ["opt_out_persistence_by_default", true],
] as const)("sets the option %s to %j", (name, value) => {
  expect(options[name]).toEqual(value);
});

test.each([
  [{ statusCode: 400, text: "no" }, "Bad HTTP status: 400 no"],
  [{ statusCode: 503 }, "Bad HTTP status: 503"],
])("logs a warning for the failed request %j", (answer, words) => {
  options.on_request_error?.(answer);
  expect(warn).toHaveBeenLastCalledWith(words);
});

test("removes secrets from all URLs of an event", () => {
  const event = { event: "x", properties: { $current_url: "https://a/?token=1" }, $set_once: { u: "/?code=1" } };
  const { before_send } = options;
  if (typeof before_send !== "function") throw new Error("There is no before_send.");
  expect(JSON.stringify(before_send(event as unknown as CaptureResult))).not.toMatch(/=1/);
});
