import type { Plan } from "@feather/sdk";
import { buildPlan } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { COMPARISON } from "./comparison-rows.ts";

test("the comparison names unlimited values, and shows a dash for missing ones", () => {
  const row = (label: string, subject: Plan) =>
    COMPARISON.find((candidate) => candidate.label === label)?.format(subject);
  expect(row("Made for", buildPlan({}))).toBe("one person");
  expect(row("Made for", buildPlan({ audience: "business" }))).toBe("a business");
  expect(row("Made for", buildPlan({ audience: "custom" }))).toBe("one customer");
  expect(row("Largest model", buildPlan({ max_model_size: 15.5e9 }))).toBe("16B");
  expect(row("Largest model", buildPlan({}))).toBe("any");
  expect(row("Requests a day", buildPlan({ daily_request_limit: 200 }))).toBe("200");
  expect(row("Requests a day", buildPlan({}))).toBe("no limit");
  expect(row("Private models", buildPlan({}))).toBe("–");
  expect(row("Private models", buildPlan({ unit_based: true, private_models: 5 }))).toBe("5 for each");
  expect(row("Private deployments", buildPlan({ private_cloud: true }))).toBe("yes");
  expect(row("Tokens", buildPlan({ billing_mode: "request_pricing" }))).toBe("paid from credits");
});
