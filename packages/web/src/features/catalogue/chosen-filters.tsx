import { t } from "@lingui/core/macro";
import { choiceLabel } from "./choice-label.ts";
import { type FilterState, PERSONAL, type SetFilter } from "./filter-state.ts";

const CHOICES = [...PERSONAL, "availability", "size", "family", "tags", "license"] as const;
type Chosen = { name: (typeof CHOICES)[number]; value: string };

/** Returns every selected option of the filters. */
export const chosenIn = (filters: FilterState): Chosen[] =>
  CHOICES.flatMap((name) => (filters[name]?.split(",") ?? []).map((value) => ({ name, value })));

type Props = {
  filters: FilterState;
  facets: Record<string, { value: string; label: string }[]> | undefined;
  set: SetFilter;
  clear(): void;
};

/** The selected filters as chips, each with a button that removes it. */
export function ChosenFilters({ filters, facets, set, clear }: Props) {
  const chosen = chosenIn(filters);
  if (chosen.length === 0) return null;
  const labelOf = ({ name, value }: Chosen) =>
    choiceLabel(name, value, facets?.[name]?.find((option) => option.value === value)?.label);
  return (
    <div className="row wraps chosen-filters">
      {chosen.map((item) => (
        <button
          key={item.name + item.value}
          type="button"
          className="chip on"
          onClick={() => set({ [item.name]: without(filters[item.name], item.value) })}
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
