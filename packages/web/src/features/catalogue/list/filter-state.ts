import type { CommaSeparated } from "@feather/sdk";
import type { ModelFilters } from "#/entities/models/queries.ts";

const FILTER_NAMES = [
  "search",
  "callable",
  "saved",
  "availability",
  "hosted",
  "fit",
  "size",
  "family",
  "tags",
  "license",
  "sort",
  "pick",
  "page",
] as const;
/** Filters that depend on the signed-in user. */
export const PERSONAL_FILTERS = ["callable", "saved"] as const;
/** The value of a checked boolean filter in the address. */
export const CHECKED = "1";

/** The filters as the page's address has them, so that a list can be linked to. */
export type FilterState = Partial<Record<(typeof FILTER_NAMES)[number], string>>;
/** Changes some filters. */
export type SetFilter = (change: FilterState) => void;

/** Returns the filters in a page's address. */
export function parseFilters(params: URLSearchParams): FilterState {
  return Object.fromEntries(FILTER_NAMES.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? ""]] : [])));
}

/** Returns the query parameters after a change: without empty filters, and back on the first page. */
export function formatFilters(state: FilterState, change: FilterState): URLSearchParams {
  const next = { ...state, page: "", ...change };
  return new URLSearchParams(
    FILTER_NAMES.flatMap((name) => (next[name] ? [[name, next[name]] as [string, string]] : [])),
  );
}

const SORTS = [
  "-trending_rank",
  "-released_date",
  "-favorites",
  "-parameter_size",
  "parameter_size",
  "-avg_rating",
  "name",
  "fit",
] as const;
const FITS = ["fits", "fits_quantized", "too_large", "unknown"] as const;
const TIERS = ["warm", "loading", "cold", "offline"] as const;
const HOSTED = ["here", "elsewhere"] as const;
/** In billions of parameters. */
const SIZES = ["-4", "4-15", "15-34", "34-100", "100-"] as const;

/** Returns the known values of a comma-separated list. */
const keepKnown = <T extends string>(allowed: readonly T[], list: string | undefined): CommaSeparated<T> | "" =>
  (list?.split(",") ?? []).filter((value) => allowed.includes(value as T)).join(",") as CommaSeparated<T> | "";

/** Returns whether the list is for signed-in users only. */
export const isPersonal = (state: FilterState): boolean =>
  PERSONAL_FILTERS.some((name) => state[name] === CHECKED) || keepKnown(FITS, state.fit) !== "" || state.sort === "fit";

/** Returns the filters as query of the API call, without invalid values. */
export function toModelsQuery(state: FilterState, perPage: number): ModelFilters {
  const sort = SORTS.find((name) => name === state.sort);
  const availability = keepKnown(TIERS, state.availability);
  const hosted = keepKnown(HOSTED, state.hosted);
  const fit = keepKnown(FITS, state.fit);
  const size = keepKnown(SIZES, state.size);
  const page = Number(state.page);
  return {
    perPage,
    facets: 1,
    ...(state.search && { search: state.search.slice(0, 200) }),
    ...(state.callable === CHECKED && { callable: true }),
    ...(state.saved === CHECKED && { saved: true }),
    ...(state.family && { family: state.family }),
    ...(state.tags && { tags: state.tags }),
    ...(state.license && { license: state.license }),
    ...(sort && { sort }),
    ...(availability && { availability }),
    ...(hosted && { hosted }),
    ...(fit && { fit }),
    ...(size && { size }),
    ...(Number.isInteger(page) && page > 1 && { page }),
  };
}
