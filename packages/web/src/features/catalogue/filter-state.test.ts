import { expect, test } from "vitest";
import { isPersonal, readFilters, toQuery, writeFilters } from "./filter-state.ts";

test("filters are unchanged by formatting and parsing", () => {
  const params = writeFilters({}, { search: "qwen coder", family: "qwen,llama", size: "15-34" });
  expect(readFilters(params)).toEqual({ search: "qwen coder", family: "qwen,llama", size: "15-34" });
});

test("a change returns to the first page, and an empty filter is removed from the address", () => {
  expect(writeFilters({ family: "qwen", page: "3" }, { family: "" }).toString()).toBe("");
  expect(writeFilters({ family: "qwen" }, { page: "2" }).toString()).toBe("family=qwen&page=2");
});

test("the query contains only parameters of the call", () => {
  expect(toQuery({ size: "15-34", sort: "-avg_rating", availability: "warm", page: "2" }, 25)).toEqual({
    perPage: 25,
    facets: 1,
    size: "15-34",
    sort: "-avg_rating",
    availability: "warm",
    page: 2,
  });
  expect(toQuery({ size: "100-,-4,7", availability: "warm,hot,cold" }, 25)).toEqual({
    perPage: 25,
    facets: 1,
    size: "100-,-4",
    availability: "warm,cold",
  });
});

test.each([
  [{ saved: "1" }, true, { saved: true }],
  [{ callable: "1", family: "qwen" }, true, { callable: true, family: "qwen" }],
  [{ saved: "yes", callable: "0" }, false, {}],
])("%j depends on the user: %s", (state, personal, query) => {
  expect(isPersonal(state)).toBe(personal);
  expect(toQuery(state, 25)).toEqual({ perPage: 25, facets: 1, ...query });
});

test("invalid values in the address are ignored", () => {
  expect(toQuery({ size: "x-y", sort: "; drop", availability: "hot", page: "-4" }, 25)).toEqual({
    perPage: 25,
    facets: 1,
  });
});
