import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/bits.tsx";
import { ModelTable } from "#/features/catalogue/model-table.tsx";
import { type ModelFilters, modelsQuery } from "#/features/catalogue/queries.ts";
import { count } from "#/lib/format.ts";
import { listFilters, SORTS, TIERS, withChange } from "./model-list-state.ts";

/** Models within a family or of a day; search, state, order and page stand in the address. */
export function ModelList({ scope, label }: { scope: ModelFilters; label: string }) {
  const [params, setParams] = useSearchParams();
  const set = (change: Record<string, string>) => setParams(withChange(params, change), { preventScrollReset: true });
  const { data, isError, refetch } = useQuery(modelsQuery(listFilters(params, scope)));
  const narrowed = params.has("search") || params.has("availability") || params.has("page");
  return (
    <>
      <div className="toolbar">
        <SearchField label={label} value={params.get("search") ?? ""} onSearch={(search) => set({ search })} />
        <span className="end row wraps">
          <Choice
            label="State"
            options={TIERS}
            value={params.get("availability") ?? ""}
            choose={(availability) => set({ availability })}
          />
          <Choice label="Sort by" options={SORTS} value={params.get("sort") ?? ""} choose={(sort) => set({ sort })} />
        </span>
      </div>
      <p className="visually-hidden" role="status">
        {data ? `${data.pagination.total_items} models` : ""}
      </p>
      {isError ? (
        <div className="notice" role="alert">
          <p>The models cannot be read just now.</p>
          <button type="button" className="btn mt-3" onClick={() => void refetch()}>
            Try again
          </button>
        </div>
      ) : data?.items.length === 0 ? (
        <EmptyState
          title="No model matches"
          action={
            narrowed ? (
              <button type="button" className="btn" onClick={() => setParams(new URLSearchParams())}>
                Show all of them
              </button>
            ) : undefined
          }
        >
          {narrowed
            ? "Nothing here fits the search and the state. Take one away."
            : "The catalogue of this server holds none."}
        </EmptyState>
      ) : (
        <ModelTable models={data?.items} />
      )}
      {data && data.pagination.total_pages > 1 ? (
        <Pages {...data.pagination} go={(page) => set({ page: page > 1 ? String(page) : "" })} />
      ) : null}
    </>
  );
}

function SearchField({ label, value, onSearch }: { label: string; value: string; onSearch(text: string): void }) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  function submit(event: FormEvent): void {
    event.preventDefault();
    onSearch(text.trim());
  }
  return (
    <search style={{ display: "contents" }}>
      <form onSubmit={submit} style={{ display: "contents" }}>
        <input
          className="input"
          type="search"
          aria-label={`Search ${label}`}
          placeholder={`Search ${label}`}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </form>
    </search>
  );
}

type ChoiceProps = {
  label: string;
  options: readonly (readonly [string, string])[];
  value: string;
  choose(value: string): void;
};

function Choice({ label, options, value, choose }: ChoiceProps) {
  return (
    <select className="btn" aria-label={label} value={value} onChange={(event) => choose(event.target.value)}>
      {options.map(([name, words]) => (
        <option key={name} value={name}>
          {words}
        </option>
      ))}
    </select>
  );
}

type PagesProps = { current_page: number; total_pages: number; total_items: number; go(page: number): void };

function Pages({ current_page, total_pages, total_items, go }: PagesProps) {
  return (
    <nav className="row between mt-4" aria-label="Pages">
      <p className="small mid num">
        Page {count(current_page)} of {count(total_pages)}, {count(total_items)} models
      </p>
      <div className="row">
        <button type="button" className="btn" disabled={current_page <= 1} onClick={() => go(current_page - 1)}>
          Previous
        </button>
        <button
          type="button"
          className="btn"
          disabled={current_page >= total_pages}
          onClick={() => go(current_page + 1)}
        >
          Next
        </button>
      </div>
    </nav>
  );
}
