import { useMemo } from "react";
import { useSearchParams } from "react-router-dom";
import {
  changeParams,
  type Filter,
  type FilterValues,
  isNarrowed,
  listParameters,
  readFilters,
  readPage,
} from "./list-params.ts";

/** The order of a list's rows, as a value of its sort filter. */
export type Sorting = { value: string; set(value: string): void };

/** Filters, order and page of a list, with setters. */
export type ListState = {
  filters: readonly Filter[];
  values: FilterValues;
  page: number;
  /** Whether a filter leaves out rows. */
  isFiltered: boolean;
  /** The order of the rows; null for a list without one. */
  sort: Sorting | null;
  set(change: FilterValues): void;
  goToPage(page: number): void;
  clear(): void;
};

/** Filters, order and page of a list, stored in the URL. `filters` must be referentially stable. */
export function useListState(filters: readonly Filter[]): ListState {
  const [params, setParams] = useSearchParams();
  const values = useMemo(() => readFilters(params, filters), [params, filters]);
  const set = (change: FilterValues) => setParams((current) => changeParams(current, change), { replace: true });
  const order = filters.find((filter) => filter.kind === "sort");
  return {
    filters,
    values,
    page: readPage(params),
    isFiltered: isNarrowed(filters, values),
    sort: order
      ? {
          value: values[order.name] ?? order.initial,
          set: (value) => set({ [order.name]: value === order.initial ? "" : value }),
        }
      : null,
    set,
    goToPage: (page) => setParams((current) => changeParams(current, { page: String(page) })),
    clear: () =>
      setParams((current) =>
        changeParams(
          current,
          Object.fromEntries(
            filters
              .filter(({ kind }) => kind !== "sort")
              .flatMap(listParameters)
              .map((name) => [name, ""]),
          ),
        ),
      ),
  };
}
