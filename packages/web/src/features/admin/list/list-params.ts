import type { SelectOption } from "#/components/ui/select.tsx";

/** One filter of a list and its query parameter. */
export type Filter = { name: string; label: string } & (
  | { kind: "search"; placeholder?: string }
  | { kind: "text"; placeholder?: string }
  | { kind: "day" }
  | {
      kind: "choice";
      options: readonly SelectOption[];
      /** Label of the option for no filter. */
      emptyLabel?: string;
    }
);
/** Values of the active filters by name. */
export type FilterValues = Readonly<Record<string, string>>;

const MAX_FILTER_LENGTH = 200;

/** Reads the filters from the URL. Invalid values are ignored. */
export function readFilters(params: URLSearchParams, filters: readonly Filter[]): FilterValues {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const value = sanitizeValue(filter, params.get(filter.name)?.trim() ?? "");
      return value === "" ? [] : [[filter.name, value]];
    }),
  );
}

function sanitizeValue(filter: Filter, value: string): string {
  if (filter.kind === "choice") return filter.options.some((option) => option.value === value) ? value : "";
  if (filter.kind === "day") return isDay(value) ? value : "";
  return value.slice(0, MAX_FILTER_LENGTH);
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
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
