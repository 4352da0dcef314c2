import type { SelectOption } from "#/components/ui/controls/select-props.ts";
import { isDay } from "#/components/ui/date-range/days.ts";

/** One filter of a list and its query parameter. */
export type Filter = { name: string; label: string } & (
  | { kind: "search"; placeholder?: string }
  | { kind: "text"; placeholder?: string }
  | {
      kind: "period";
      /** The query parameter of the last day; `name` is the one of the first. */
      until: string;
    }
  | {
      kind: "choice";
      options: readonly SelectOption[];
      /** Label of the option for no filter. */
      emptyLabel?: string;
      /** Whether values without an option count too, as where the options are not loaded yet or too many. */
      isOpen?: boolean;
    }
  | {
      /** The order of the rows, which is no condition: heads of columns set it, and a select where there are none. */
      kind: "sort";
      options: readonly SelectOption[];
      /** The order without the parameter; one of the options. */
      initial: string;
    }
);
/** Values of the active filters by name. */
export type FilterValues = Readonly<Record<string, string>>;
/** What a list shows: the values of its active filters, and the page, counted from 1. */
export type ListValues = { values: FilterValues; page: number };

const MAX_FILTER_LENGTH = 200;

/** Reads what a list shows from the query of a URL. Invalid values are ignored. */
export function readList(search: string, filters: readonly Filter[]): ListValues {
  const params = new URLSearchParams(search);
  return { values: readFilters(params, filters), page: readPage(params) };
}

/** Reads the filters from the URL. Invalid values are ignored. */
export function readFilters(params: URLSearchParams, filters: readonly Filter[]): FilterValues {
  return Object.fromEntries(
    filters.flatMap((filter) =>
      listParameters(filter).flatMap((name) => {
        const value = sanitizeValue(filter, params.get(name)?.trim() ?? "");
        return value === "" ? [] : [[name, value]];
      }),
    ),
  );
}

/** Returns the query parameters of a filter. */
export const listParameters = (filter: Filter): string[] =>
  filter.kind === "period" ? [filter.name, filter.until] : [filter.name];

/** Whether a value narrows the list; its order does not. */
export const isNarrowed = (filters: readonly Filter[], values: FilterValues): boolean =>
  filters.some((filter) => filter.kind !== "sort" && listParameters(filter).some((name) => values[name] !== undefined));

function sanitizeValue(filter: Filter, value: string): string {
  if (filter.kind === "sort")
    return value !== filter.initial && filter.options.some((option) => option.value === value) ? value : "";
  if (filter.kind === "choice" && !filter.isOpen)
    return filter.options.some((option) => option.value === value) ? value : "";
  if (filter.kind === "period") return isDay(value) ? value : "";
  return value.slice(0, MAX_FILTER_LENGTH);
}

/** Returns the URL parameters after a change: without empty filters and the page number; others are kept. */
export function changeParams(params: URLSearchParams, change: FilterValues): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** Returns the page number of the URL; 1 if it is missing or invalid. */
export function readPage(params: URLSearchParams): number {
  const text = params.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
