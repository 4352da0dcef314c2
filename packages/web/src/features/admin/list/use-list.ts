import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { changeParams, type Filter, type FilterValues, pageOf, readFilters } from "./list-params.ts";

/** Filters and page of a list, with setters. */
export type ListState = {
  filters: readonly Filter[];
  values: FilterValues;
  page: number;
  filtered: boolean;
  set(change: FilterValues): void;
  go(page: number): void;
  clear(): void;
};

/** Filters and page of a list, stored in the URL. `filters` must be referentially stable. */
export function useList(filters: readonly Filter[]): ListState {
  const [params, setParams] = useSearchParams();
  const values = useMemo(() => readFilters(params, filters), [params, filters]);
  return {
    filters,
    values,
    page: pageOf(params),
    filtered: Object.keys(values).length > 0,
    set: (change) => setParams((now) => changeParams(now, change), { replace: true }),
    go: (page) => setParams((now) => changeParams(now, { page: String(page) })),
    clear: () => setParams((now) => changeParams(now, Object.fromEntries(filters.map(({ name }) => [name, ""])))),
  };
}
