import type { Concurrency } from "@feather/sdk";
import { waitFor } from "@feather/testing/wait-for";
import { cleanup, render } from "ink-testing-library";
import { createElement } from "react";
import { afterEach, expect, test } from "vitest";
import { createStyle } from "../../output/style.ts";
import { LiveUsage } from "./live-usage.tsx";

const NOW = new Date("2026-11-21T12:00:10Z");

afterEach(() => cleanup());

const usage = (...models: string[]): Concurrency => ({
  limit: 4,
  used_cost: models.length,
  request_count: models.length,
  requests: models.map((model, index) => ({
    id: `req_${index}`,
    cost: 1,
    model,
    started_at: new Date("2026-11-21T12:00:06Z"),
    duration_ms: 0,
    output_tokens: null,
    tokens_per_second: null,
    is_own: true,
  })),
});

function show(first: Concurrency, stream: (signal: AbortSignal) => AsyncIterable<Concurrency>) {
  const app = render(createElement(LiveUsage, { first, stream, now: () => NOW, style: createStyle(false, true) }));
  const sees = (text: string) => waitFor(() => expect(app.lastFrame()).toContain(text));
  return { ...app, sees };
}

test("live usage shows the units and the requests as they change, with their time so far", async () => {
  const gate = Promise.withResolvers<void>();
  const { sees, lastFrame } = show(usage(), async function* () {
    await gate.promise;
    yield usage("Qwen/Qwen3-32B", "feather/demo");
    await new Promise(() => {});
  });
  await sees("▱▱▱▱ 0 of 4 units in use");
  expect(lastFrame()).toContain("Nothing is running.");
  gate.resolve();
  await sees("▰▰▱▱ 2 of 4 units in use");
  expect(lastFrame()).toMatch(/Qwen\/Qwen3-32B +1 +4 s +req_0/);
});

test("live usage says that the connection was cut, and opens it again", async () => {
  let opened = 0;
  const { sees } = show(usage(), async function* () {
    opened += 1;
    if (opened === 1) throw new Error("cut");
    yield usage("feather/demo");
    await new Promise(() => {});
  });
  await sees("the connection was cut; trying again");
  await sees("feather/demo");
});

test("q leaves and ends the stream", async () => {
  let signal: AbortSignal | undefined;
  const { sees, stdin } = show(usage(), async function* (given) {
    signal = given;
    await new Promise(() => {});
  });
  await sees("q leaves");
  stdin.write("q");
  await waitFor(() => expect(signal?.aborted).toBe(true));
});
