import { describe, expect, test } from "vitest";
import { readList } from "#/components/list/list-params.ts";
import { createEmptyFilters, createRequestFilters, showsNewest, toRequestsQuery } from "./request-filters.ts";

const PERIOD = { from: "2026-11-01", to: "2026-11-02" };
const RANGE = { start: Date.parse("2026-11-01") / 1000, end: Date.parse("2026-11-03") / 1000 };
const queryOf = (search: string) => toRequestsQuery(PERIOD, readList(search, createEmptyFilters()));

describe("the query of the requests", () => {
  test.each<[string, object]>([
    ["", RANGE],
    ["api_key_id=key_1&outcome=failed", { ...RANGE, api_key_id: "key_1", outcome: "failed" }],
    [
      "model=Qwen/Qwen3-8B&user_id=usr_1&place=groq",
      { ...RANGE, model: "Qwen/Qwen3-8B", user_id: "usr_1", place: "groq" },
    ],
    ["sort=started_at", { ...RANGE, sort: "started_at" }],
    ["sort=-started_at&outcome=odd", RANGE],
    ["id=req_4fJq", { id: "req_4fJq", start: 0 }],
    ["id=4fJq", { id: "req_4fJq", start: 0 }],
    ["id=req_4f%25<b>", { id: "req_4fb", start: 0 }],
    ["view=requests&request=req_1", RANGE],
  ])("the query of %j is what the server takes", (search, expected) => {
    expect(queryOf(search)).toEqual({ ...expected, page: 1, perPage: 25 });
  });

  test("the query is the same before and after names of keys and members are loaded", () => {
    const search = "?api_key_id=key_1&user_id=usr_1&page=2";
    const loaded = createRequestFilters({
      keys: [{ id: "key_1", name: "laptop" }],
      members: [{ user_id: "usr_1", name: "Maria" }],
      models: ["a/b"],
      places: ["groq", "server"],
    });
    expect(toRequestsQuery(PERIOD, readList(search, loaded))).toEqual(queryOf(search));
  });
});

test.each([
  ["", true],
  ["outcome=failed", true],
  ["page=2", false],
  ["sort=started_at", false],
])("new requests appear in the list of %j: %s", (search, expected) => {
  expect(showsNewest(readList(search, createEmptyFilters()))).toBe(expected);
});
