import { expect, test } from "vitest";
import { deployment, provider } from "#/testing/private-cloud.ts";
import { hourly, hourlyText } from "./prices.ts";
import type { Deployment, Provider } from "./queries.ts";
import { deploymentSamples } from "./snippets.ts";
import { lengthOf, scalingText, sleepText } from "./words.ts";

const one = (more: object = {}) => deployment(more) as unknown as Deployment;

test.each([
  [60, "1 min"],
  [90, "90 s"],
  [150, "2.5 min"],
  [3_600, "1 h"],
  [86_400, "24 h"],
  [604_800, "7 days"],
])("formats %d seconds as %s", (seconds, words) => {
  expect(lengthOf(seconds)).toBe(words);
});

test.each([
  [{ max_replicas: 1 }, "up to 1"],
  [{ max_replicas: 4 }, "0 to 4, one for 4 requests at a time"],
  [{ min_replicas: 2, max_replicas: 2 }, "always 2"],
])("%j scales %s", (settings, words) => {
  expect(scalingText(one(settings))).toBe(words);
});

test.each([
  [{}, "after 1 h without a request"],
  [{ min_replicas: 1 }, "never"],
  [{ scale_to_zero_after_s: null }, "never"],
])("%j sleeps %s", (settings, words) => {
  expect(sleepText(one(settings))).toBe(words);
});

test("the price is that of the instance type, and unknown if it no longer exists", () => {
  const providers = [provider()] as unknown as Provider[];
  expect(hourlyText(hourly(one(), providers))).toBe("no charge");
  expect(hourlyText(hourly(one({ instance_type: "gone" }), providers))).toBe("unknown");
  expect(hourlyText(1_790_000_000, 2)).toBe("$3.58");
});

test("the samples call the deployment's own URL, with its token unless it is public", () => {
  const called = {
    id: "dep_1",
    model_id: "acme/it's",
    visibility: "private",
    url: "https://a.example/api/deployments/dep_1/v1",
  } as const;
  const samples = deploymentSamples(called);
  expect(samples.map(({ name }) => name)).toEqual(["curl", "TypeScript", "Python", "CLI"]);
  for (const { name, code } of samples)
    expect([name, code.includes(name === "CLI" ? "dep_1/v1" : called.url)]).toEqual([name, true]);
  expect(samples[0]?.code).toContain("$DEPLOYMENT_TOKEN");
  expect(samples[0]?.code).toContain(`acme/it'\\''s`);
  const open = deploymentSamples({ ...called, visibility: "public" });
  expect(open.some(({ code }) => code.includes("DEPLOYMENT_TOKEN"))).toBe(false);
});
