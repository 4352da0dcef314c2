import { t } from "@lingui/core/macro";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { Select } from "#/components/ui/controls/select.tsx";
import type { SelectOption } from "#/components/ui/controls/select-props.ts";
import { DateRange } from "#/components/ui/date-range/date-range.tsx";
import { toDay } from "#/components/ui/date-range/days.ts";
import styles from "./filter-bar.module.css";
import type { Filter, FilterValues } from "./list-params.ts";
import type { ListState } from "./use-list-state.ts";

/** The filters of a list. Selects and dates apply at once, texts on submit. */
export function FilterBar({ list, end }: { list: ListState; end?: ReactNode }) {
  return (
    <search className={styles.filters}>
      {list.filters.map((filter) => (
        <FilterControl key={filter.name} filter={filter} values={list.values} set={list.set} />
      ))}
      {end}
    </search>
  );
}

type FilterControlProps = { filter: Filter; values: FilterValues; set(change: FilterValues): void };

function FilterControl({ filter, values, set }: FilterControlProps) {
  const value = values[filter.name] ?? "";
  const setValue = (next: string) => set({ [filter.name]: next });
  if (filter.kind === "period") return <PeriodFilterControl filter={filter} values={values} set={set} />;
  if (filter.kind === "sort")
    return (
      <ChoiceFilterControl
        filter={filter}
        value={value === "" ? filter.initial : value}
        set={(next) => setValue(next === filter.initial ? "" : next)}
      />
    );
  if (filter.kind === "choice") return <ChoiceFilterControl filter={filter} value={value} set={setValue} />;
  return <TextFilterControl filter={filter} value={value} set={setValue} />;
}

type PeriodFilterProps = Omit<FilterControlProps, "filter"> & { filter: Extract<Filter, { kind: "period" }> };

function PeriodFilterControl({ filter, values, set }: PeriodFilterProps) {
  const id = useId();
  const today = toDay(new Date());
  return (
    <div className={`${styles.filter} wide`}>
      <span className="label" id={id}>
        {filter.label}
      </span>
      <DateRange
        aria-labelledby={id}
        value={{ from: values[filter.name] ?? "", to: values[filter.until] ?? "" }}
        today={today}
        max={today}
        onChange={({ from, to }) => set({ [filter.name]: from, [filter.until]: to })}
      />
    </div>
  );
}

type ChoiceFilterProps = {
  filter: Extract<Filter, { kind: "choice" | "sort" }>;
  value: string;
  set(value: string): void;
};

function ChoiceFilterControl({ filter, value, set }: ChoiceFilterProps) {
  const id = useId();
  const options =
    filter.kind === "sort"
      ? filter.options
      : [{ value: "", label: filter.emptyLabel ?? t`Any` }, ...withValue(filter.options, value)];
  return (
    <div className={filter.kind === "sort" ? `${styles.filter} ${styles.order}` : styles.filter}>
      <label className="label" htmlFor={id}>
        {filter.label}
      </label>
      <Select id={id} value={value} options={options} onChange={set} />
    </div>
  );
}

/** Returns the options and one for the value, if none has it. */
const withValue = (options: readonly SelectOption[], value: string): readonly SelectOption[] =>
  value === "" || options.some((option) => option.value === value) ? options : [...options, { value, label: value }];

type TextFilterProps = {
  filter: Extract<Filter, { kind: "search" | "text" }>;
  value: string;
  set(value: string): void;
};

function TextFilterControl({ filter, value, set }: TextFilterProps) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    set(text.trim());
  }
  return (
    <form className={filter.kind === "search" ? `${styles.filter} ${styles.grows}` : styles.filter} onSubmit={submit}>
      <label className="label" htmlFor={id}>
        {filter.label}
      </label>
      <input
        id={id}
        className="input"
        type="search"
        maxLength={200}
        placeholder={filter.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => text.trim() !== value && set(text.trim())}
      />
    </form>
  );
}
