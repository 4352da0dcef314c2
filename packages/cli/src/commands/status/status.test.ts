import { errorResponse } from "@feather/testing/errors";
import { describe, expect, test } from "vitest";
import { setupCli } from "../../testing/setup-cli.ts";

const rate = (name: string, state: string, error_rate: number) => ({
  model_class: name,
  model_id: null,
  requests: 1200,
  errors: 3,
  error_rate,
  p50_ttft_ms: 236.4,
  p95_ttft_ms: 900,
  tokens_per_s: state === "down" ? null : 62.4,
  state,
});
const incident = (state: string) => ({
  id: "inc_1",
  title: "Slow \u001b[2Janswers",
  body: "We look into it.",
  state,
  started_at: "2026-11-21T11:00:00.000Z",
  updated_at: "2026-11-21T11:30:00.000Z",
  resolved_at: null,
});
const routes = (rates: readonly object[], incidents: readonly object[]) => ({
  "GET /feather/stats": () => ({ body: { model_count: 139, warm_count: 12 } }),
  "GET /feather/status/error-rates": () => ({
    body: { window_s: 900, updated_at: "2026-11-21T11:59:00.000Z", items: rates },
  }),
  "GET /feather/status/incidents": () => ({ body: { items: incidents } }),
});

describe("status with an open incident", () => {
  const rates = [rate("qwen3-32b", "operational", 0.0025), rate("llama-70b", "down", 1)];
  const { runInteractive, run } = setupCli(routes(rates, [incident("investigating")]));

  test("status with an open incident shows people the problem, and exits with 0", async () => {
    const { code, out, err } = await runInteractive("status");
    expect(code).toBe(0);
    expect(err).toContain("Some of it does not work well. 12 of 139 models are warm.\n");
    expect(err).toContain("  investigating: Slow \\x1b[2Janswers, 1 hour ago\n");
    expect(out).toMatch(/qwen3-32b +operational +1,200 +0\.3 % +236 ms +62\n/);
    expect(out).toMatch(/llama-70b +down +1,200 +100 % +236 ms\n/);
  });

  test("status with an open incident prints exact values for pipes, and everything as JSON", async () => {
    expect((await run("status")).out.split("\n")[0]).toBe("qwen3-32b\toperational\t1200\t0.0025\t236.4\t62.4");
    expect(JSON.parse((await run("status --json")).out)).toMatchObject({
      state: "degraded",
      warm_models: 12,
      incidents: [{ id: "inc_1" }],
      error_rates: [{ model_class: "qwen3-32b" }, {}],
    });
    expect(JSON.parse((await run("status --json model_class,state")).out)[1]).toEqual({
      model_class: "llama-70b",
      state: "down",
    });
  });
});

describe("status without problems", () => {
  const { runInteractive, runAnonymous } = setupCli(routes([], [incident("resolved")]));

  test("status without problems says so in every mode", async () => {
    const { code, err } = await runInteractive("status");
    expect([code, err]).toEqual([
      0,
      "Everything works. 12 of 139 models are warm.\nNothing was called in the last 15 minutes.\n",
    ]);
    expect((await runAnonymous("status --json")).code).toBe(0);
  });
});

describe("status when the server fails", () => {
  const broken = { "GET /feather/stats": () => errorResponse(500, "internal_error", "Something broke.") };
  const { run } = setupCli({ ...routes([], []), ...broken });

  test("status when the server fails exits with 9", async () => {
    expect(await run("status")).toMatchObject({ code: 9, out: "" });
  });
});
