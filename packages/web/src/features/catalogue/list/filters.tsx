import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { CHECKED, type FilterState, PERSONAL_FILTERS, type SetFilter } from "./filter-state.ts";
import styles from "./filters.module.css";
import { getOptionLabel } from "./option-label.ts";

type FilterOption = { value: string; label: string; count: number };
type Props = {
  facets: Record<string, FilterOption[]> | undefined;
  filters: FilterState;
  setFilter: SetFilter;
  signedIn: boolean;
};

const COLLAPSED_OPTIONS = 6;
/** The filters of the catalogue, with the number of models for each option. */
export function Filters({ facets, filters, setFilter, signedIn }: Props) {
  return (
    <>
      {signedIn ? <PersonalFilters filters={filters} setFilter={setFilter} /> : null}
      <FilterGroup
        title={t`State`}
        name="availability"
        options={facets?.availability}
        filters={filters}
        setFilter={setFilter}
      />
      <FilterGroup title={t`Where`} name="hosted" options={facets?.hosted} filters={filters} setFilter={setFilter} />
      {signedIn ? (
        <FilterGroup title={t`This machine`} name="fit" options={facets?.fit} filters={filters} setFilter={setFilter} />
      ) : null}
      <FilterGroup title={t`Size`} name="size" options={facets?.size} filters={filters} setFilter={setFilter} />
      <FilterGroup title={t`Family`} name="family" options={facets?.family} filters={filters} setFilter={setFilter} />
      <FilterGroup title={t`Good at`} name="tags" options={facets?.tags} filters={filters} setFilter={setFilter} />
      <FilterGroup
        title={t`Licence`}
        name="license"
        options={facets?.license}
        filters={filters}
        setFilter={setFilter}
      />
    </>
  );
}

/** Filters that need a signed-in user. */
function PersonalFilters({ filters, setFilter }: Pick<Props, "filters" | "setFilter">) {
  return (
    <fieldset className="mb-5">
      <legend className="label mb-2">{t`For you`}</legend>
      {PERSONAL_FILTERS.map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={filters[name] === CHECKED}
            onChange={({ target }) => setFilter({ [name]: target.checked ? CHECKED : "" })}
          />
          <span>{getOptionLabel(name, CHECKED)}</span>
        </label>
      ))}
    </fieldset>
  );
}

type GroupProps = {
  title: string;
  name: keyof FilterState;
  options: FilterOption[] | undefined;
  filters: FilterState;
  setFilter: SetFilter;
};

function FilterGroup({ title, name, options, filters, setFilter }: GroupProps) {
  const [all, setAll] = useState(false);
  const selected = filters[name]?.split(",").filter(Boolean) ?? [];
  const visible = (options ?? []).filter(
    (option, index) => all || index < COLLAPSED_OPTIONS || selected.includes(option.value),
  );
  const hidden = (options?.length ?? 0) - visible.length;
  function toggle(value: string): void {
    const without = selected.filter((other) => other !== value);
    const next = selected.includes(value) ? without : [...without, value];
    setFilter({ [name]: next.join(",") });
  }
  return (
    <fieldset className="mb-5">
      <legend className="label mb-2">{title}</legend>
      {visible.map(({ value, label, count }) => (
        <label key={value} className="check">
          <input type="checkbox" checked={selected.includes(value)} onChange={() => toggle(value)} />
          <span>{getOptionLabel(name, value, label)}</span>
          <span className={count === 0 ? `${styles.count} num ${styles.none}` : `${styles.count} num`}>{count}</span>
        </label>
      ))}
      {hidden > 0 ? (
        <button type="button" className="link small mt-1" onClick={() => setAll(true)}>
          <Trans>{hidden} more</Trans>
        </button>
      ) : null}
    </fieldset>
  );
}
