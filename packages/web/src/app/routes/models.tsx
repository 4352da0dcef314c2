import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useEffect, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/bits.tsx";
import { Sheet } from "#/components/ui/dialog.tsx";
import { type FilterState, readFilters, toQuery, writeFilters } from "#/features/catalogue/filter-state.ts";
import { Filters } from "#/features/catalogue/filters.tsx";
import { ModelTable } from "#/features/catalogue/model-table.tsx";
import { modelsQuery, statsQuery } from "#/features/catalogue/queries.ts";
import { count } from "#/lib/format.ts";

const PER_PAGE = 25;
const SORTS = [
  ["", "Best match"],
  ["-trending_rank", "Most called"],
  ["-released_date", "Newest"],
  ["-parameter_size", "Largest"],
  ["parameter_size", "Smallest"],
  ["-avg_rating", "Best rated"],
  ["name", "Name"],
] as const;

export default function ModelsPage() {
  const [params, setParams] = useSearchParams();
  const [sheet, setSheet] = useState(false);
  const filters = readFilters(params);
  const set = (change: FilterState) => setParams(writeFilters(filters, change));
  const { data, isError } = useQuery(modelsQuery(toQuery(filters, PER_PAGE)));
  const { data: stats } = useQuery(statsQuery);
  const chosen = (["availability", "size", "family", "tags", "license"] as const).flatMap((name) =>
    (filters[name]?.split(",") ?? []).map((value) => ({ name, value })),
  );
  const labelOf = ({ name, value }: (typeof chosen)[number]) =>
    data?.facets?.[name]?.find((option) => option.value === value)?.label ?? value;

  return (
    <div className="with-side">
      <aside className="side" aria-label="Filters">
        <Filters facets={data?.facets} filters={filters} set={set} />
      </aside>
      <div>
        <div className="row between wraps">
          <h1 className="h2">Models</h1>
          <p className="small dim num">
            {stats
              ? `${count(stats.model_count)} models · ${stats.family_count} families · ${stats.release_count} release days`
              : " "}
          </p>
        </div>
        <div className="toolbar">
          <SearchField value={filters.search ?? ""} onSearch={(search) => set({ search })} />
          {chosen.map((item) => (
            <button
              key={item.name + item.value}
              type="button"
              className="chip on"
              onClick={() =>
                set({
                  [item.name]: (filters[item.name]?.split(",") ?? []).filter((value) => value !== item.value).join(","),
                })
              }
              aria-label={`Remove filter ${labelOf(item)}`}
            >
              {labelOf(item)} <span aria-hidden="true">×</span>
            </button>
          ))}
          <span className="end row">
            <button type="button" className="btn filter-button" onClick={() => setSheet(true)}>
              Filters{chosen.length > 0 ? ` (${chosen.length})` : ""}
            </button>
            <label className="row small" style={{ gap: 6 }}>
              <span className="visually-hidden">Sort by</span>
              <select
                className="btn"
                value={filters.sort ?? ""}
                onChange={(event) => set({ sort: event.target.value })}
              >
                {SORTS.map(([value, label]) => (
                  <option key={value} value={value}>
                    {label}
                  </option>
                ))}
              </select>
            </label>
          </span>
        </div>
        {isError ? (
          <EmptyState title="The catalogue cannot be read just now">
            The server did not answer. Reload the page to try again.
          </EmptyState>
        ) : data?.items.length === 0 ? (
          <EmptyState
            title="No model matches"
            action={
              <button type="button" className="btn" onClick={() => setParams(new URLSearchParams())}>
                Show all models
              </button>
            }
          >
            Nothing in the catalogue fits all of these filters. Take one away, or search for part of a name.
          </EmptyState>
        ) : (
          <ModelTable models={data?.items} />
        )}
        {data && data.items.length > 0 ? (
          <Pager
            page={data.pagination.current_page}
            pages={data.pagination.total_pages}
            total={data.pagination.total_items}
            go={(page) => set({ page: String(page) })}
          />
        ) : null}
      </div>
      <Sheet open={sheet} onClose={() => setSheet(false)} title="Filters">
        <Filters facets={data?.facets} filters={filters} set={set} />
      </Sheet>
    </div>
  );
}

function SearchField({ value, onSearch }: { value: string; onSearch(text: string): void }) {
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
          aria-label="Search the catalogue"
          placeholder="Name, owner, size or what it is good at"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onBlur={() => text.trim() !== value && onSearch(text.trim())}
        />
      </form>
    </search>
  );
}

function Pager({ page, pages, total, go }: { page: number; pages: number; total: number; go(page: number): void }) {
  const first = (page - 1) * PER_PAGE + 1;
  return (
    <nav className="row between mt-4" aria-label="Pages">
      <span className="small dim num">
        {count(first)} to {count(Math.min(page * PER_PAGE, total))} of {count(total)}
      </span>
      <span className="row">
        <button type="button" className="btn" disabled={page <= 1} onClick={() => go(page - 1)}>
          Previous
        </button>
        <button type="button" className="btn" disabled={page >= pages} onClick={() => go(page + 1)}>
          Next
        </button>
      </span>
    </nav>
  );
}
