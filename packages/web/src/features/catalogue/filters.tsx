import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { choiceLabel } from "./choice-label.ts";
import { type FilterState, ON, PERSONAL, type SetFilter } from "./filter-state.ts";

type Count = { value: string; label: string; count: number };
type Props = { facets: Record<string, Count[]> | undefined; filters: FilterState; set: SetFilter; signedIn: boolean };

const FEW = 6;
/** The filters of the catalogue, with the number of models for each option. */
export function Filters({ facets, filters, set, signedIn }: Props) {
  return (
    <>
      {signedIn ? <Personal filters={filters} set={set} /> : null}
      <Group title={t`State`} name="availability" options={facets?.availability} filters={filters} set={set} />
      <Group title={t`Size`} name="size" options={facets?.size} filters={filters} set={set} />
      <Group title={t`Family`} name="family" options={facets?.family} filters={filters} set={set} />
      <Group title={t`Good at`} name="tags" options={facets?.tags} filters={filters} set={set} />
      <Group title={t`Licence`} name="license" options={facets?.license} filters={filters} set={set} />
    </>
  );
}

/** Filters that need a signed-in user. */
function Personal({ filters, set }: Pick<Props, "filters" | "set">) {
  return (
    <fieldset className="mb-5">
      <legend className="label mb-2">{t`For you`}</legend>
      {PERSONAL.map((name) => (
        <label key={name} className="check">
          <input
            type="checkbox"
            checked={filters[name] === ON}
            onChange={({ target }) => set({ [name]: target.checked ? ON : "" })}
          />
          <span>{choiceLabel(name, ON)}</span>
        </label>
      ))}
    </fieldset>
  );
}

type GroupProps = {
  title: string;
  name: keyof FilterState;
  options: Count[] | undefined;
  filters: FilterState;
  set: SetFilter;
};

function Group({ title, name, options, filters, set }: GroupProps) {
  const [all, setAll] = useState(false);
  const chosen = filters[name]?.split(",").filter(Boolean) ?? [];
  const shown = (options ?? []).filter((option, index) => all || index < FEW || chosen.includes(option.value));
  const hidden = (options?.length ?? 0) - shown.length;
  function toggle(value: string): void {
    const without = chosen.filter((other) => other !== value);
    const next = chosen.includes(value) ? without : [...without, value];
    set({ [name]: next.join(",") });
  }
  return (
    <fieldset className="mb-5">
      <legend className="label mb-2">{title}</legend>
      {shown.map(({ value, label, count }) => (
        <label key={value} className="check">
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span>{choiceLabel(name, value, label)}</span>
          <span className={count === 0 ? "count num none" : "count num"}>{count}</span>
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
