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
/** Filters that are about who looks. */
export const PERSONAL = ["callable", "saved"] as const;
export const ON = "1";

/** The filters as they stand in the address, so that a list can be linked to, reloaded and gone back to. */
export type FilterState = Partial<Record<(typeof NAMES)[number], string>>;
export type SetFilter = (change: FilterState) => void;

export function readFilters(params: URLSearchParams): FilterState {
  return Object.fromEntries(NAMES.flatMap((name) => (params.get(name) ? [[name, params.get(name) ?? ""]] : [])));
}

/** The address after a change: back on the first page, and without empty filters. */
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

/** Of a list by comma, those that are known. */
const among = (known: readonly string[], list: string | undefined): string =>
  (list?.split(",") ?? []).filter((value) => known.includes(value)).join(",");

/** Whether the list depends on who looks. */
export const isPersonal = (state: FilterState): boolean => PERSONAL.some((name) => state[name] === ON);

/** The query of the call for what stands in the address. What makes no sense is left out. */
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
