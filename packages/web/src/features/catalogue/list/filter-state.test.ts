import { expect, test } from "vitest";
import { formatFilters, isPersonal, parseFilters, toModelsQuery } from "./filter-state.ts";

test("filters are unchanged by formatting and parsing", () => {
  const params = formatFilters({}, { search: "qwen coder", family: "qwen,llama", size: "15-34" });
  expect(parseFilters(params)).toEqual({ search: "qwen coder", family: "qwen,llama", size: "15-34" });
});

test("a change returns to the first page, and an empty filter is removed from the address", () => {
  expect(formatFilters({ family: "qwen", page: "3" }, { family: "" }).toString()).toBe("");
  expect(formatFilters({ family: "qwen" }, { page: "2" }).toString()).toBe("family=qwen&page=2");
});

test("the query contains only parameters of the call", () => {
  expect(toModelsQuery({ size: "15-34", sort: "-avg_rating", availability: "warm", page: "2" }, 25)).toEqual({
    perPage: 25,
    facets: 1,
    size: "15-34",
    sort: "-avg_rating",
    availability: "warm",
    page: 2,
  });
  expect(toModelsQuery({ size: "100-,-4,7", availability: "warm,hot,cold" }, 25)).toEqual({
    perPage: 25,
    facets: 1,
    size: "100-,-4",
    availability: "warm,cold",
  });
  expect(toModelsQuery({ hosted: "elsewhere,there,here" }, 25)).toEqual({
    perPage: 25,
    facets: 1,
    hosted: "elsewhere,here",
  });
});

test.each([
  [{ saved: "1" }, true, { saved: true }],
  [{ callable: "1", family: "qwen" }, true, { callable: true, family: "qwen" }],
  [{ fit: "fits,fits_quantized,perhaps" }, true, { fit: "fits,fits_quantized" }],
  [{ sort: "fit" }, true, { sort: "fit" }],
  [{ saved: "yes", callable: "0", fit: "perhaps" }, false, {}],
])("%j depends on the user: %s", (state, personal, query) => {
  expect(isPersonal(state)).toBe(personal);
  expect(toModelsQuery(state, 25)).toEqual({ perPage: 25, facets: 1, ...query });
});

test("invalid values in the address are ignored", () => {
  expect(toModelsQuery({ size: "x-y", sort: "; drop", availability: "hot", page: "-4" }, 25)).toEqual({
    perPage: 25,
    facets: 1,
  });
});
