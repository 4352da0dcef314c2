import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/bits.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { SearchField } from "#/components/ui/search-field.tsx";
import { ModelTable } from "#/features/catalogue/model-table.tsx";
import { type ModelFilters, modelsQuery } from "#/features/catalogue/queries.ts";
import { listFilters, SORTS, TIERS, withChange } from "./model-list-state.ts";

const TOP = "models";

/** Models of a family or a day, with search, filter, sorting and pagination in the URL. */
export function ModelList({ scope, label }: { scope: ModelFilters; label: string }) {
  const [params, setParams] = useSearchParams();
  const set = (change: Record<string, string>, replace = false) =>
    setParams((now) => withChange(now, change), { preventScrollReset: true, replace });
  const { data, isError, isPlaceholderData, refetch } = useQuery(modelsQuery(listFilters(params, scope)));
  const narrowed = params.has("search") || params.has("availability") || params.has("page");
  return (
    <>
      <div className="toolbar" id={TOP}>
        <SearchField
          label={t`Search ${label}`}
          value={params.get("search") ?? ""}
          onSearch={(search, settled) => set({ search }, !settled && params.has("search"))}
        />
        <span className="end row wraps">
          <Choice
            label={t`State`}
            options={TIERS}
            value={params.get("availability") ?? ""}
            choose={(availability) => set({ availability })}
          />
          <Choice
            label={t`Sort by`}
            options={SORTS}
            value={params.get("sort") ?? ""}
            choose={(sort) => set({ sort })}
          />
        </span>
      </div>
      <p className="visually-hidden" role="status">
        {data ? plural(data.pagination.total_items, { one: "# model", other: "# models" }) : ""}
      </p>
      {isError ? (
        <div className="notice" role="alert">
          <p>{t`The models cannot be read just now.`}</p>
          <button type="button" className="btn mt-3" onClick={() => void refetch()}>
            {t`Try again`}
          </button>
        </div>
      ) : data?.items.length === 0 ? (
        <EmptyState
          title={t`No model matches`}
          action={
            narrowed ? (
              <button type="button" className="btn" onClick={() => setParams(new URLSearchParams())}>
                {t`Show all of them`}
              </button>
            ) : undefined
          }
        >
          {narrowed
            ? t`Nothing here fits the search and the state. Take one away.`
            : t`The catalogue of this server holds none.`}
        </EmptyState>
      ) : (
        <ModelTable models={data?.items} stale={isPlaceholderData} />
      )}
      {data && data.pagination.total_pages > 1 ? (
        <Pager {...data.pagination} what={label} top={TOP} go={(page) => set({ page: page > 1 ? String(page) : "" })} />
      ) : null}
    </>
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
