import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { Sheet } from "#/components/ui/dialog.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { SearchField } from "#/components/ui/search-field.tsx";
import { useUser } from "#/features/auth/user.ts";
import { lazyPart } from "#/lib/lazy-part.ts";
import { CatalogueSize } from "./catalogue-size.tsx";
import { ChosenFilters, chosenIn } from "./chosen-filters.tsx";
import { comparing, readPicks, toggled, writePicks } from "./compare/picks.ts";
import { type FilterState, isPersonal, ON, readFilters, toQuery, writeFilters } from "./filter-state.ts";
import { Filters } from "./filters.tsx";
import { countWords, LogInFirst, ModelResults } from "./model-results.tsx";
import { modelsQuery } from "./queries.ts";
import { RowDeeds } from "./row-deeds.tsx";
import { SortChoice } from "./sort-choice.tsx";

/** The number of models on a page. */
export const PER_PAGE = 25;
const TOP = "model-list";

const PicksBar = lazyPart(async () => (await import("./compare/picks-bar.tsx")).PicksBar);

/** The catalogue with its filters and the selection for the comparison, both stored in the address. */
export function ModelsList() {
  const [params, setParams] = useSearchParams();
  const [sheet, setSheet] = useState(false);
  const { user, loading } = useUser();
  const signedIn = user !== null;
  const filters = readFilters(params);
  const set = (change: FilterState, replace = false) =>
    setParams((now) => writeFilters(readFilters(now), change), { replace });
  const picks = readPicks(params.get("pick"));
  const pick = (ids: readonly string[]) => set({ pick: writePicks(ids), page: filters.page ?? "" }, true);
  const clear = () => setParams(writeFilters({}, { pick: filters.pick ?? "" }));
  const personal = isPersonal(filters);
  const asked = useQuery({ ...modelsQuery(toQuery(filters, PER_PAGE)), enabled: !personal || signedIn });
  const { data, isPlaceholderData } = asked;
  const chosen = chosenIn(filters);

  return (
    <div className="with-side">
      <aside className="side" aria-label={t`Filters`}>
        <Filters facets={data?.facets} filters={filters} set={set} signedIn={signedIn} />
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
            <SortChoice value={filters.sort ?? ""} choose={(sort) => set({ sort })} />
          </span>
        </div>
        <ChosenFilters filters={filters} facets={data?.facets} set={set} clear={clear} />
        <p className="visually-hidden" role="status">
          {data && !isPlaceholderData ? countWords(data.pagination.total_items) : ""}
        </p>
        {personal && !signedIn && !loading ? (
          <LogInFirst here={`/models?${params}`} />
        ) : (
          <ModelResults
            found={data}
            failed={asked.isError}
            stale={isPlaceholderData}
            rows={PER_PAGE}
            justSaved={chosen.length === 1 && filters.saved === ON && !filters.search}
            again={() => void asked.refetch()}
            toFirst={() => set({})}
            clear={clear}
            deeds={(model) => <RowDeeds model={model} picks={picks} pick={pick} signedIn={signedIn} />}
          />
        )}
        {data ? (
          <Pager
            {...data.pagination}
            what={t`models`}
            top={TOP}
            go={(page) => set({ page: page > 1 ? String(page) : "" })}
          />
        ) : null}
        {picks.length > 0 ? (
          <Suspense fallback={null}>
            <PicksBar
              picks={picks}
              to={comparing(params, picks)}
              remove={(id) => pick(toggled(picks, id))}
              clear={() => pick([])}
            />
          </Suspense>
        ) : null}
      </div>
      <Sheet open={sheet} onClose={() => setSheet(false)} title={t`Filters`}>
        <Filters facets={data?.facets} filters={filters} set={set} signedIn={signedIn} />
        <button type="button" className="btn primary full sheet-action" onClick={() => setSheet(false)}>
          {data ? plural(data.pagination.total_items, { one: "Show # model", other: "Show # models" }) : t`Show models`}
        </button>
      </Sheet>
    </div>
  );
}
