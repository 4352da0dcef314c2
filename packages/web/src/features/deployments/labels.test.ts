import type { Deployment, DeploymentProvider } from "@feather/sdk";
import { buildDeployment } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { provider } from "#/testing/deployments.ts";
import { createDeploymentSamples } from "./code-samples.ts";
import { formatDuration, formatScaling, formatSleep } from "./labels.ts";
import { formatHourlyPrice, hourlyNanoUsd } from "./prices.ts";

const one = (more: object = {}) => buildDeployment(more) as unknown as Deployment;

test.each([
  [60, "1 min"],
  [90, "90 s"],
  [150, "2.5 min"],
  [3_600, "1 h"],
  [86_400, "24 h"],
  [604_800, "7 days"],
])("formats %d seconds as %s", (seconds, expected) => {
  expect(formatDuration(seconds)).toBe(expected);
});

test.each([
  [{ max_replicas: 1 }, "up to 1"],
  [{ max_replicas: 4 }, "0 to 4, one for 4 requests at a time"],
  [{ min_replicas: 2, max_replicas: 2 }, "always 2"],
])("%j scales %s", (settings, expected) => {
  expect(formatScaling(one(settings))).toBe(expected);
});

test.each([
  [{}, "after 1 h without a request"],
  [{ min_replicas: 1 }, "never"],
  [{ scale_to_zero_after_s: null }, "never"],
])("%j sleeps %s", (settings, expected) => {
  expect(formatSleep(one(settings))).toBe(expected);
});

test("the price is that of the instance type, and unknown if it no longer exists", () => {
  const providers = [provider()] as unknown as DeploymentProvider[];
  expect(formatHourlyPrice(hourlyNanoUsd(one(), providers))).toBe("no charge");
  expect(formatHourlyPrice(hourlyNanoUsd(one({ instance_type: "gone" }), providers))).toBe("unknown");
  expect(formatHourlyPrice(1_790_000_000, 2)).toBe("$3.58");
});

test("the samples call the deployment's own URL, with its token unless it is public", () => {
  const called = {
    id: "dep_1",
    model_id: "acme/it's",
    visibility: "private",
    url: "https://a.example/api/deployments/dep_1/v1",
  } as const;
  const samples = createDeploymentSamples(called);
  expect(samples.map(({ name }) => name)).toEqual(["curl", "TypeScript", "Python", "CLI"]);
  for (const { name, code } of samples)
    expect([name, code.includes(name === "CLI" ? "dep_1/v1" : called.url)]).toEqual([name, true]);
  expect(samples[0]?.code).toContain("$DEPLOYMENT_TOKEN");
  expect(samples[0]?.code).toContain(`acme/it'\\''s`);
  const open = createDeploymentSamples({ ...called, visibility: "public" });
  expect(open.some(({ code }) => code.includes("DEPLOYMENT_TOKEN"))).toBe(false);
});
