import { useState } from "react";
import type { FilterState, SetFilter } from "./filter-state.ts";

type Count = { value: string; label: string; count: number };
type Props = { facets: Record<string, Count[]> | undefined; filters: FilterState; set: SetFilter };

const FEW = 6;
const TAG_LABELS: Record<string, string> = {
  "tool-use": "Tools",
  code: "Code",
  reasoning: "Reasoning",
  vision: "Vision",
  roleplay: "Roleplay",
  math: "Mathematics",
  multilingual: "Many languages",
  chat: "Chat",
  instruct: "Instructions",
  moe: "Mixture of experts",
  base: "Base models",
};

/** The filters of the catalogue with how many models each choice gives. */
export function Filters({ facets, filters, set }: Props) {
  return (
    <>
      <Group
        title="State"
        name="availability"
        options={facets?.availability?.map((tier) => ({
          ...tier,
          label: tier.label.charAt(0).toUpperCase() + tier.label.slice(1),
        }))}
        filters={filters}
        set={set}
        single
      />
      <Group title="Size" name="size" options={facets?.size} filters={filters} set={set} single />
      <Group title="Family" name="family" options={facets?.family} filters={filters} set={set} />
      <Group
        title="Good at"
        name="tags"
        options={facets?.tags?.map((tag) => ({ ...tag, label: TAG_LABELS[tag.value] ?? tag.value }))}
        filters={filters}
        set={set}
      />
      <Group title="Licence" name="license" options={facets?.license} filters={filters} set={set} />
    </>
  );
}

type GroupProps = {
  title: string;
  name: keyof FilterState;
  options: Count[] | undefined;
  filters: FilterState;
  set: SetFilter;
  single?: boolean;
};

function Group({ title, name, options, filters, set, single = false }: GroupProps) {
  const [all, setAll] = useState(false);
  const chosen = filters[name]?.split(",").filter(Boolean) ?? [];
  const shown = (options ?? []).filter((option, index) => all || index < FEW || chosen.includes(option.value));
  const hidden = (options?.length ?? 0) - shown.length;
  function toggle(value: string): void {
    const without = chosen.filter((other) => other !== value);
    const next = chosen.includes(value) ? without : single ? [value] : [...without, value];
    set({ [name]: next.join(",") });
  }
  return (
    <fieldset className="mb-5">
      <legend className="label mb-2">{title}</legend>
      {shown.map(({ value, label, count }) => (
        <label key={value} className="check">
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span>{label}</span>
          <span className={count === 0 ? "count num none" : "count num"}>{count}</span>
        </label>
      ))}
      {hidden > 0 ? (
        <button type="button" className="link small mt-1" onClick={() => setAll(true)}>
          {hidden} more
        </button>
      ) : null}
    </fieldset>
  );
}
