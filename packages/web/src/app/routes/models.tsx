import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/bits.tsx";
import { Sheet } from "#/components/ui/dialog.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { SearchField } from "#/components/ui/search-field.tsx";
import { paths } from "#/config/paths.ts";
import { choiceLabel } from "#/features/catalogue/choice-label.ts";
import { type FilterState, readFilters, toQuery, writeFilters } from "#/features/catalogue/filter-state.ts";
import { Filters } from "#/features/catalogue/filters.tsx";
import { ModelTable } from "#/features/catalogue/model-table.tsx";
import { latestReleaseQuery, modelsQuery, statsQuery } from "#/features/catalogue/queries.ts";
import { count } from "#/lib/format.ts";

const PER_PAGE = 25;
const SORTS = [
  ["", t`Best match`],
  ["-trending_rank", t`Most called`],
  ["-released_date", t`Newest`],
  ["-parameter_size", t`Largest`],
  ["parameter_size", t`Smallest`],
  ["-avg_rating", t`Best rated`],
  ["name", t`Name`],
] as const;

const CHOICES = ["availability", "size", "family", "tags", "license"] as const;
const TOP = "model-list";

export default function ModelsPage() {
  const [params, setParams] = useSearchParams();
  const [sheet, setSheet] = useState(false);
  const filters = readFilters(params);
  const set = (change: FilterState, replace = false) =>
    setParams((now) => writeFilters(readFilters(now), change), { replace });
  const clear = () => setParams(new URLSearchParams());
  const { data, isError, isPlaceholderData, refetch } = useQuery(modelsQuery(toQuery(filters, PER_PAGE)));
  const chosen = CHOICES.flatMap((name) => (filters[name]?.split(",") ?? []).map((value) => ({ name, value })));
  const labelOf = ({ name, value }: (typeof chosen)[number]) =>
    choiceLabel(name, value, data?.facets?.[name]?.find((option) => option.value === value)?.label);

  return (
    <div className="with-side">
      <aside className="side" aria-label={t`Filters`}>
        <Filters facets={data?.facets} filters={filters} set={set} />
      </aside>
      <div>
        <div className="row between wraps">
          <h1 className="h2">{t`Models`}</h1>
          <CatalogueSize />
        </div>
        <div className="toolbar" id={TOP}>
          <SearchField
            label={t`Search the catalogue`}
            placeholder={t`Name, owner, size or what it is good at`}
            value={filters.search ?? ""}
            onSearch={(search, settled) => set({ search }, !settled && filters.search !== undefined)}
          />
          <span className="end row">
            <button type="button" className="btn filter-button" onClick={() => setSheet(true)}>
              {chosen.length > 0 ? t`Filters (${chosen.length})` : t`Filters`}
            </button>
            <select
              className="btn"
              aria-label={t`Sort by`}
              value={filters.sort ?? ""}
              onChange={(event) => set({ sort: event.target.value })}
            >
              {SORTS.map(([value, label]) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </span>
        </div>
        {chosen.length > 0 ? (
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
        ) : null}
        <p className="visually-hidden" role="status">
          {data && !isPlaceholderData ? plural(data.pagination.total_items, { one: "# model", other: "# models" }) : ""}
        </p>
        {isError ? (
          <EmptyState
            title={t`The catalogue cannot be read just now`}
            action={
              <button type="button" className="btn" onClick={() => void refetch()}>
                {t`Try again`}
              </button>
            }
          >
            {t`The server did not answer. What you have chosen stays in the address of this page.`}
          </EmptyState>
        ) : data && data.pagination.total_items > 0 && data.items.length === 0 ? (
          <EmptyState
            title={t`There is no page ${count(data.pagination.current_page)}`}
            action={
              <button type="button" className="btn" onClick={() => set({})}>
                {t`To the first page`}
              </button>
            }
          >
            <Trans>
              <Plural value={data.pagination.total_items} one="# model fits" other="# models fit" />, on{" "}
              <Plural value={data.pagination.total_pages} one="# page" other="# pages" />.
            </Trans>
          </EmptyState>
        ) : data?.items.length === 0 ? (
          <EmptyState
            title={t`No model matches`}
            action={
              <button type="button" className="btn" onClick={clear}>
                {t`Show all models`}
              </button>
            }
          >
            {t`Nothing in the catalogue fits all of this. Take a filter away, or search for part of a name.`}
          </EmptyState>
        ) : (
          <ModelTable models={data?.items} stale={isPlaceholderData} rows={PER_PAGE} />
        )}
        {data ? (
          <Pager
            {...data.pagination}
            what={t`models`}
            top={TOP}
            go={(page) => set({ page: page > 1 ? String(page) : "" })}
          />
        ) : null}
      </div>
      <Sheet open={sheet} onClose={() => setSheet(false)} title={t`Filters`}>
        <Filters facets={data?.facets} filters={filters} set={set} />
        <button type="button" className="btn primary full sheet-action" onClick={() => setSheet(false)}>
          {data ? plural(data.pagination.total_items, { one: "Show # model", other: "Show # models" }) : t`Show models`}
        </button>
      </Sheet>
    </div>
  );
}

const without = (list: string | undefined, value: string): string =>
  (list?.split(",") ?? []).filter((other) => other !== value).join(",");

function CatalogueSize() {
  const { data: stats } = useQuery(statsQuery);
  const { data: latest } = useQuery(latestReleaseQuery);
  if (!stats) return <p className="small">&nbsp;</p>;
  return (
    <p className="small dim num">
      <Trans>
        <Plural value={stats.model_count} one="# model" other="# models" /> ·{" "}
        <Plural value={stats.family_count} one="# family" other="# families" />
      </Trans>
      {latest ? (
        <>
          {" · "}
          <Link className="link" to={paths.release(latest)}>
            <Trans>latest {latest}</Trans>
          </Link>
        </>
      ) : null}
    </p>
  );
}

export const prefill = (client: QueryClient, { search }: Pick<Location, "search">): Promise<unknown> =>
  Promise.all([
    client.prefetchQuery(modelsQuery(toQuery(readFilters(new URLSearchParams(search)), PER_PAGE))),
    client.prefetchQuery(statsQuery),
  ]);
