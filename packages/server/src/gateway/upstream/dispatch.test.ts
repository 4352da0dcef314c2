import { createTestClock } from "@feather/testing/clock";
import { expect, test } from "vitest";
import { createBackendRegistry } from "../backends/registry.ts";
import type { ResolvedCall } from "../call.ts";
import { toUpstreamError, tryBackends } from "./dispatch.ts";

test.each<[string, Error, string]>([
  ["a mistake in the translation of an answer", new TypeError("x is not iterable"), "internal_error"],
  ["a broken connection", Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" }), "upstream_error"],
])("%s is reported with the right error code", (_what, error, code) => {
  expect(toUpstreamError(error)).toMatchObject({ code, cause: error });
});

test("a mistake in the translation of an answer is logged, and counts as a failure of no backend", async () => {
  const registry = createBackendRegistry(createTestClock());
  const models = new Map([["o/n", "n"]]);
  registry.set({ name: "b", source: "settings", baseUrl: "http://127.0.0.1:1/v1", weight: 1, models });
  const mistake = new TypeError("x is not iterable");
  const logged: unknown[] = [];
  const call = {
    id: "req_1",
    kind: "chat",
    model: { id: "o/n", key: "o/n" },
    backends: registry.list(),
    signal: new AbortController().signal,
    trace: null,
    exchange: { log: { error: (fields: object) => void logged.push(fields) } },
  } as unknown as ResolvedCall;
  const timeouts = {
    firstByteMs: 1,
    idleMs: 1,
    keepAliveMs: 1,
    stalledMs: 1,
    loading: { waitMs: 0, status: 503 },
  } as const;
  const tried = tryBackends(call, registry, timeouts, () => Promise.reject(mistake));
  await expect(tried).rejects.toMatchObject({ status: 500, code: "internal_error" });
  expect(logged).toEqual([{ request_id: "req_1", model: "o/n", err: mistake }]);
  expect(registry.list()).toMatchObject([{ failures: 0, inFlight: 0 }]);
  await registry.close();
});
