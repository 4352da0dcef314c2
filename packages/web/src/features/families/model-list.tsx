import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router-dom";
import { SearchField } from "#/components/ui/controls/search-field.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Toolbar } from "#/components/ui/lists/toolbar.tsx";
import { ModelTable } from "#/entities/models/model-table.tsx";
import { type ModelFilters, modelsQuery } from "#/entities/models/queries.ts";
import { changeParams, readModelFilters, SORT_OPTIONS, TIER_OPTIONS } from "./model-list-params.ts";

const LIST_ID = "models";

/** Models of a family or a day, with search, filter, sorting and pagination in the URL. */
export function ModelList({ scope, label }: { scope: ModelFilters; label: string }) {
  const [params, setParams] = useSearchParams();
  const set = (change: Record<string, string>, replace = false) =>
    setParams((now) => changeParams(now, change), { preventScrollReset: true, replace });
  const { data, isError, isPlaceholderData, refetch } = useQuery(modelsQuery(readModelFilters(params, scope)));
  const isFiltered = params.has("search") || params.has("availability") || params.has("page");
  return (
    <>
      <Toolbar
        id={LIST_ID}
        end={
          <>
            <ChoiceSelect
              label={t`State`}
              options={TIER_OPTIONS}
              value={params.get("availability") ?? ""}
              onChoose={(availability) => set({ availability })}
            />
            <ChoiceSelect
              label={t`Sort by`}
              options={SORT_OPTIONS}
              value={params.get("sort") ?? ""}
              onChoose={(sort) => set({ sort })}
            />
          </>
        }
      >
        <SearchField
          label={t`Search ${label}`}
          value={params.get("search") ?? ""}
          onSearch={(search, isSettled) => set({ search }, !isSettled && params.has("search"))}
        />
      </Toolbar>
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
            isFiltered ? (
              <button type="button" className="btn" onClick={() => setParams(new URLSearchParams())}>
                {t`Show all of them`}
              </button>
            ) : undefined
          }
        >
          {isFiltered
            ? t`Nothing here fits the search and the state. Take one away.`
            : t`The catalogue of this server holds none.`}
        </EmptyState>
      ) : (
        <ModelTable models={data?.items} stale={isPlaceholderData} />
      )}
      {data && data.pagination.total_pages > 1 ? (
        <Pager
          {...data.pagination}
          label={label}
          scrollTargetId={LIST_ID}
          goToPage={(page) => set({ page: page > 1 ? String(page) : "" })}
        />
      ) : null}
    </>
  );
}

type SelectProps = {
  label: string;
  options: readonly (readonly [string, string])[];
  value: string;
  onChoose(value: string): void;
};

function ChoiceSelect({ label, options, value, onChoose }: SelectProps) {
  return (
    <Select
      look="button"
      aria-label={label}
      value={value}
      options={options.map(([name, text]) => ({ value: name, label: text }))}
      onChange={onChoose}
    />
  );
}
