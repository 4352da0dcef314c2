import { t } from "@lingui/core/macro";
import type { ModelFilters } from "#/entities/models/queries.ts";

const PER_PAGE = 25;
/** Sort orders with their labels; the empty value is the default. */
export const SORT_OPTIONS = [
  ["", t`Newest`],
  ["-trending_rank", t`Most called`],
  ["-parameter_size", t`Largest`],
  ["parameter_size", t`Smallest`],
  ["-avg_rating", t`Best rated`],
  ["name", t`Name`],
] as const;
/** Availability filters with their labels; the empty value is no filter. */
export const TIER_OPTIONS = [
  ["", t`All states`],
  ["warm", t`Warm`],
  ["loading", t`Loading`],
  ["cold", t`Cold`],
  ["offline", t`Offline`],
] as const;

type KnownValue<T extends readonly (readonly [string, string])[]> = Exclude<T[number][0], "">;
const findKnown = <T extends readonly (readonly [string, string])[]>(
  list: T,
  value: string | null,
): KnownValue<T> | undefined =>
  list.map(([name]) => name).find((name): name is KnownValue<T> => name !== "" && name === value);

/** Reads the query of a model list from the URL. Invalid values are ignored. */
export function readModelFilters(params: URLSearchParams, scope: ModelFilters): ModelFilters {
  const page = Number(params.get("page"));
  const search = params.get("search")?.trim().slice(0, 200);
  const availability = findKnown(TIER_OPTIONS, params.get("availability"));
  return {
    ...scope,
    perPage: PER_PAGE,
    sort: findKnown(SORT_OPTIONS, params.get("sort")) ?? "-released_date",
    ...(search && { search }),
    ...(availability && { availability }),
    ...(Number.isInteger(page) && page > 1 && page < 10_000 && { page }),
  };
}

/** Returns the URL parameters after a change: on the first page, without empty values. */
export function changeParams(params: URLSearchParams, change: Record<string, string>): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}
