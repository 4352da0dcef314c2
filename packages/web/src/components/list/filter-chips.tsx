import { t } from "@lingui/core/macro";
import { formatRange } from "../ui/date-range/format-days.ts";
import styles from "./filter-chips.module.css";
import { type Filter, type FilterValues, listParameters } from "./list-params.ts";
import type { ListState } from "./use-list-state.ts";

/** The active filters of a list, each with a button that takes it off; nothing while there are none. */
export function FilterChips({ list }: { list: ListState }) {
  const active = list.filters.flatMap((filter) => {
    const text = describeValue(filter, list.values);
    return text === null ? [] : [{ filter, text: `${filter.label}: ${text}` }];
  });
  if (active.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label={t`Active filters`}>
      {active.map(({ filter, text }) => (
        <li key={filter.name}>
          <button
            type="button"
            className="chip on"
            aria-label={t`Take off the filter ${text}`}
            onClick={() => list.set(Object.fromEntries(listParameters(filter).map((name) => [name, ""])))}
          >
            <bdi>{text}</bdi> <span aria-hidden="true">×</span>
          </button>
        </li>
      ))}
      <li>
        <button type="button" className="btn ghost" onClick={list.clear}>
          {t`Clear filters`}
        </button>
      </li>
    </ul>
  );
}

/** Returns the value of a filter as the page names it; null where it is not active, and for an order. */
function describeValue(filter: Filter, values: FilterValues): string | null {
  const value = values[filter.name] ?? "";
  if (filter.kind === "sort") return null;
  if (filter.kind === "period") {
    const to = values[filter.until] ?? "";
    return value === "" && to === "" ? null : formatRange({ from: value, to });
  }
  if (value === "") return null;
  if (filter.kind === "choice") return filter.options.find((option) => option.value === value)?.label ?? value;
  return value;
}
