import { t } from "@lingui/core/macro";
import { type FilterState, PERSONAL_FILTERS, type SetFilter } from "./filter-state.ts";
import { getOptionLabel } from "./option-label.ts";
import styles from "./selected-filters.module.css";

const FILTER_NAMES = [
  ...PERSONAL_FILTERS,
  "availability",
  "hosted",
  "fit",
  "size",
  "family",
  "tags",
  "license",
] as const;
type SelectedOption = { name: (typeof FILTER_NAMES)[number]; value: string };

/** Returns every selected option of the filters. */
export const listSelectedOptions = (filters: FilterState): SelectedOption[] =>
  FILTER_NAMES.flatMap((name) => (filters[name]?.split(",") ?? []).map((value) => ({ name, value })));

type Props = {
  filters: FilterState;
  facets: Record<string, { value: string; label: string }[]> | undefined;
  setFilter: SetFilter;
  clear(): void;
};

/** The selected filters as chips, each with a button that removes it. */
export function SelectedFilters({ filters, facets, setFilter, clear }: Props) {
  const selected = listSelectedOptions(filters);
  if (selected.length === 0) return null;
  const labelOf = ({ name, value }: SelectedOption) =>
    getOptionLabel(name, value, facets?.[name]?.find((option) => option.value === value)?.label);
  return (
    <div className={`row wrapping ${styles.chosenFilters}`}>
      {selected.map((item) => (
        <button
          key={item.name + item.value}
          type="button"
          className="chip on"
          onClick={() => setFilter({ [item.name]: without(filters[item.name], item.value) })}
          aria-label={t`Remove filter ${labelOf(item)}`}
        >
          {labelOf(item)} <span aria-hidden="true">×</span>
        </button>
      ))}
      <button type="button" className="plain" onClick={clear}>
        {t`Clear all`}
      </button>
    </div>
  );
}

const without = (list: string | undefined, value: string): string =>
  (list?.split(",") ?? []).filter((other) => other !== value).join(",");
