import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import { changeParams, type Filter, type FilterValues, listParameters, readFilters, readPage } from "./list-params.ts";

/** Filters and page of a list, with setters. */
export type ListState = {
  filters: readonly Filter[];
  values: FilterValues;
  page: number;
  isFiltered: boolean;
  set(change: FilterValues): void;
  goToPage(page: number): void;
  clear(): void;
};

/** Filters and page of a list, stored in the URL. `filters` must be referentially stable. */
export function useListState(filters: readonly Filter[]): ListState {
  const [params, setParams] = useSearchParams();
  const values = useMemo(() => readFilters(params, filters), [params, filters]);
  return {
    filters,
    values,
    page: readPage(params),
    isFiltered: Object.keys(values).length > 0,
    set: (change) => setParams((current) => changeParams(current, change), { replace: true }),
    goToPage: (page) => setParams((current) => changeParams(current, { page: String(page) })),
    clear: () =>
      setParams((current) =>
        changeParams(current, Object.fromEntries(filters.flatMap(listParameters).map((name) => [name, ""]))),
      ),
  };
}
