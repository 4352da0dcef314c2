import { t } from "@lingui/core/macro";
import { type FormEvent, type ReactNode, useEffect, useId, useState } from "react";
import { Select } from "#/components/ui/select.tsx";
import type { Filter } from "./list-params.ts";
import type { ListState } from "./use-list-state.ts";

/** The filters of a list. Selects and dates apply at once, texts on submit. */
export function FilterBar({ list, end }: { list: ListState; end?: ReactNode }) {
  return (
    <search className="filters">
      {list.filters.map((filter) => (
        <FilterControl
          key={filter.name}
          filter={filter}
          value={list.values[filter.name] ?? ""}
          set={(value) => list.set({ [filter.name]: value })}
        />
      ))}
      {list.isFiltered ? (
        <button type="button" className="btn ghost" onClick={list.clear}>
          {t`Clear filters`}
        </button>
      ) : null}
      {end}
    </search>
  );
}

type FilterControlProps = { filter: Filter; value: string; set(value: string): void };

function FilterControl({ filter, value, set }: FilterControlProps) {
  const id = useId();
  if (filter.kind === "search" || filter.kind === "text")
    return <TextFilterControl filter={filter} value={value} set={set} />;
  return (
    <div className="filter">
      <label className="label" htmlFor={id}>
        {filter.label}
      </label>
      {filter.kind === "day" ? (
        <input id={id} className="input" type="date" value={value} onChange={(event) => set(event.target.value)} />
      ) : (
        <Select
          id={id}
          value={value}
          options={[{ value: "", label: filter.emptyLabel ?? t`Any` }, ...filter.options]}
          onChange={set}
        />
      )}
    </div>
  );
}

type TextFilterProps = Omit<FilterControlProps, "filter"> & { filter: Extract<Filter, { kind: "search" | "text" }> };

function TextFilterControl({ filter, value, set }: TextFilterProps) {
  const id = useId();
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    set(text.trim());
  }
  return (
    <form className={filter.kind === "search" ? "filter grows" : "filter"} onSubmit={submit}>
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
