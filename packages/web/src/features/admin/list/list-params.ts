import type { Option } from "#/components/ui/field.tsx";

/** One filter of a list, as it stands in the address. */
export type Filter = { name: string; label: string } & (
  | { kind: "search"; placeholder?: string }
  | { kind: "text"; placeholder?: string }
  | { kind: "day" }
  | {
      kind: "choice";
      options: readonly Option[];
      /** What holds where nothing is chosen. */
      none?: string;
    }
);
export type FilterValues = Readonly<Record<string, string>>;

const LONGEST = 200;

/** The filters that an address holds. What makes no sense counts for nothing. */
export function readFilters(params: URLSearchParams, filters: readonly Filter[]): FilterValues {
  return Object.fromEntries(
    filters.flatMap((filter) => {
      const value = sound(filter, params.get(filter.name)?.trim() ?? "");
      return value === "" ? [] : [[filter.name, value]];
    }),
  );
}

function sound(filter: Filter, value: string): string {
  if (filter.kind === "choice") return filter.options.some((option) => option.value === value) ? value : "";
  if (filter.kind === "day") return isDay(value) ? value : "";
  return value.slice(0, LONGEST);
}

function isDay(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** The address after a change: back on the first page, without empty filters; what else it holds stays. */
export function changeParams(params: URLSearchParams, change: FilterValues): URLSearchParams {
  const next = new URLSearchParams(params);
  next.delete("page");
  for (const [name, value] of Object.entries(change)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The page that an address names; the first for anything else. */
export function pageOf(params: URLSearchParams): number {
  const text = params.get("page") ?? "";
  return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}
