import type { ModelFilters } from "./queries.ts";

const NAMES = [
  "search",
  "callable",
  "saved",
  "availability",
  "size",
  "family",
  "tags",
  "license",
  "sort",
  "pick",
  "page",
] as const;
/** Filters that depend on the signed-in user. */
export const PERSONAL = ["callable", "saved"] as const;
/** The value of a checked boolean filter in the address. */
export const ON = "1";

/** The filters as the page's address has them, so that a list can be linked to. */
export type FilterState = Partial<Record<(typeof NAMES)[number], string>>;
/** Changes some filters. */
export type SetFilter = (change: FilterState) => void;

/** Returns the filters in a page's address. */
export function readFilters(params: URLSearchParams): FilterState {
  return Object.fromEntries(NAMES.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? ""]] : [])));
}

/** Returns the query parameters after a change: without empty filters, and back on the first page. */
export function writeFilters(state: FilterState, change: FilterState): URLSearchParams {
  const next = { ...state, page: "", ...change };
  return new URLSearchParams(NAMES.flatMap((name) => (next[name] ? [[name, next[name]] as [string, string]] : [])));
}

const SORTS = [
  "-trending_rank",
  "-released_date",
  "-favorites",
  "-parameter_size",
  "parameter_size",
  "-avg_rating",
  "name",
] as const;
const TIERS = ["warm", "loading", "cold", "offline"] as const;
/** In billions of parameters. */
const SIZES = ["-4", "4-15", "15-34", "34-100", "100-"] as const;

/** Returns the known values of a comma-separated list. */
const among = (known: readonly string[], list: string | undefined): string =>
  (list?.split(",") ?? []).filter((value) => known.includes(value)).join(",");

/** Returns whether the list depends on the signed-in user. */
export const isPersonal = (state: FilterState): boolean => PERSONAL.some((name) => state[name] === ON);

/** Returns the filters as query of the API call, without invalid values. */
export function toQuery(state: FilterState, perPage: number): ModelFilters {
  const sort = SORTS.find((name) => name === state.sort);
  const availability = among(TIERS, state.availability);
  const size = among(SIZES, state.size);
  const page = Number(state.page);
  return {
    perPage,
    facets: 1,
    ...(state.search && { search: state.search.slice(0, 200) }),
    ...(state.callable === ON && { callable: true }),
    ...(state.saved === ON && { saved: true }),
    ...(state.family && { family: state.family }),
    ...(state.tags && { tags: state.tags }),
    ...(state.license && { license: state.license }),
    ...(sort && { sort }),
    ...(availability && { availability }),
    ...(size && { size }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  };
}
