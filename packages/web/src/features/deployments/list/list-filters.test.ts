import type { Deployment } from "@feather/sdk";
import { buildDeployment } from "@feather/testing/builders";
import { expect, test } from "vitest";
import { countStates, type DeploymentFilters, filterDeployments, readFilters, toSearchParams } from "./list-filters.ts";

const ALL = [
  buildDeployment({ id: "dep_a", name: "support-bot" }),
  buildDeployment({ id: "dep_b", name: "coder", model_id: "Qwen/Qwen3-8B", state: "failed" }),
  buildDeployment({
    id: "dep_c",
    name: "coder-old",
    model_id: "Qwen/Qwen3-8B",
    state: "paused",
    provider_id: "kubernetes",
  }),
] as unknown as Deployment[];

test.each<[DeploymentFilters, string[]]>([
  [{}, ["dep_a", "dep_b", "dep_c"]],
  [{ search: "CODER" }, ["dep_b", "dep_c"]],
  [{ search: " qwen  old " }, ["dep_c"]],
  [{ search: "dep_a" }, ["dep_a"]],
  [{ state: "failed" }, ["dep_b"]],
  [{ provider: "kubernetes" }, ["dep_c"]],
  [{ search: "coder", provider: "local" }, ["dep_b"]],
  [{ search: "<b>" }, []],
])("the filters %j show %j", (filters, ids) => {
  expect(filterDeployments(ALL, filters).map(({ id }) => id)).toEqual(ids);
});

test.each([
  ["search=bot&state=failed&provider=local", { search: "bot", state: "failed", provider: "local" }],
  ["state=made_up&state=failed", {}],
  ["state=toString&search=&other=1", {}],
])("reads the address ?%s as %j", (address, filters) => {
  expect(readFilters(new URLSearchParams(address))).toEqual(filters);
});

test("a change keeps the other filters and removes empty ones", () => {
  expect(String(toSearchParams({ search: "bot", state: "failed" }, { state: "" }))).toBe("search=bot");
});

test("counts deployments by state without empty states", () => {
  expect(countStates(ALL)).toEqual([
    { state: "running", count: 1 },
    { state: "paused", count: 1 },
    { state: "failed", count: 1 },
  ]);
});
