import { describe, expect, test } from "vitest";
import { changeParams, type Filter, readFilters, readPage } from "./list-params.ts";

const FILTERS: readonly Filter[] = [
  { name: "search", label: "Search", kind: "search" },
  { name: "status", label: "State", kind: "choice", options: [{ value: "active", label: "Active" }] },
  { name: "from", until: "to", label: "Period", kind: "period" },
];

describe("readFilters", () => {
  test.each<[string, Record<string, string>]>([
    ["", {}],
    ["search=maria", { search: "maria" }],
    ["search=%20%20maria%20", { search: "maria" }],
    ["search=%20", {}],
    ["status=active", { status: "active" }],
    ["status=<script>", {}],
    ["from=2026-11-21", { from: "2026-11-21" }],
    ["from=2026-11-21&to=2026-11-22", { from: "2026-11-21", to: "2026-11-22" }],
    ["to=2026-11-22", { to: "2026-11-22" }],
    ["from=2026-02-30", {}],
    ["from=21.11.2026", {}],
    ["from=9999-99-99", {}],
    ["else=1", {}],
    [`search=${"a".repeat(300)}`, { search: "a".repeat(200) }],
  ])("readFilters reads the filters of %j", (query, expected) => {
    expect(readFilters(new URLSearchParams(query), FILTERS)).toEqual(expected);
  });
});

describe("changeParams", () => {
  test.each<[string, Record<string, string>, string]>([
    ["", { search: "a" }, "search=a"],
    ["search=a&page=4", { status: "active" }, "search=a&status=active"],
    ["search=a&status=active", { search: "" }, "status=active"],
    ["tab=x&search=a", { search: "" }, "tab=x"],
    ["", { page: "3" }, "page=3"],
    ["page=2", { page: "3" }, "page=3"],
  ])("changeParams changes %j by %j", (query, change, expected) => {
    expect(changeParams(new URLSearchParams(query), change).toString()).toBe(expected);
  });
});

test.each([
  ["", 1],
  ["page=2", 2],
  ["page=0", 1],
  ["page=-1", 1],
  ["page=1e9", 1],
  ["page=99999999", 1],
  ["page=two", 1],
])("reads the page number of %j as %d", (query, page) => {
  expect(readPage(new URLSearchParams(query))).toBe(page);
});
