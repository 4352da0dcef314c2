import { plural, t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useSearchParams } from "react-router-dom";
import { SearchField } from "#/components/ui/controls/search-field.tsx";
import { Sheet } from "#/components/ui/dialogs/sheet.tsx";
import { Pager } from "#/components/ui/lists/pager.tsx";
import { Toolbar } from "#/components/ui/lists/toolbar.tsx";
import { modelsQuery } from "#/entities/models/queries.ts";
import { useUser } from "#/entities/session/user.ts";
import { lazyComponent } from "#/lib/lazy-component.ts";
import { comparisonPath, formatPicks, parsePicks, togglePick } from "../compare/picks.ts";
import { CatalogueSize } from "./catalogue-size.tsx";
import { CHECKED, type FilterState, formatFilters, isPersonal, parseFilters, toModelsQuery } from "./filter-state.ts";
import { Filters } from "./filters.tsx";
import { LoginRequired } from "./login-required.tsx";
import { formatModelCount, ModelResults } from "./model-results.tsx";
import styles from "./models-list.module.css";
import { RowActions } from "./row-actions.tsx";
import { listSelectedOptions, SelectedFilters } from "./selected-filters.tsx";
import { SortSelect } from "./sort-select.tsx";

/** The number of models on a page. */
export const MODELS_PER_PAGE = 25;
const LIST_ID = "model-list";

const PicksBar = lazyComponent(async () => (await import("../compare/picks-bar.tsx")).PicksBar);

/** The catalogue with its filters and the selection for the comparison, both stored in the address. */
export function ModelsList() {
  const [params, setParams] = useSearchParams();
  const [isSheetOpen, setIsSheetOpen] = useState(false);
  const { user, loading } = useUser();
  const signedIn = user !== null;
  const filters = parseFilters(params);
  const setFilter = (change: FilterState, replace = false) =>
    setParams((now) => formatFilters(parseFilters(now), change), { replace });
  const picks = parsePicks(params.get("pick"));
  const setPicks = (ids: readonly string[]) => setFilter({ pick: formatPicks(ids), page: filters.page ?? "" }, true);
  const clear = () => setParams(formatFilters({}, { pick: filters.pick ?? "" }));
  const needsLogin = isPersonal(filters);
  const query = useQuery({ ...modelsQuery(toModelsQuery(filters, MODELS_PER_PAGE)), enabled: !needsLogin || signedIn });
  const { data, isPlaceholderData } = query;
  const selected = listSelectedOptions(filters);

  return (
    <div className="with-side">
      <aside className="side" aria-label={t`Filters`}>
        <Filters facets={data?.facets} filters={filters} setFilter={setFilter} signedIn={signedIn} />
      </aside>
      <div>
        <div className="row between wrapping">
          <h1 className="h2">{t`Models`}</h1>
          <CatalogueSize />
        </div>
        <Toolbar
          id={LIST_ID}
          end={
            <>
              <button type="button" className={`btn ${styles.filterButton}`} onClick={() => setIsSheetOpen(true)}>
                {selected.length > 0 ? t`Filters (${selected.length})` : t`Filters`}
              </button>
              <SortSelect value={filters.sort ?? ""} signedIn={signedIn} onSelect={(sort) => setFilter({ sort })} />
            </>
          }
        >
          <SearchField
            label={t`Search the catalogue`}
            placeholder={t`Name, owner, size or what it is good at`}
            value={filters.search ?? ""}
            onSearch={(search, settled) => setFilter({ search }, !settled && filters.search !== undefined)}
          />
        </Toolbar>
        <SelectedFilters filters={filters} facets={data?.facets} setFilter={setFilter} clear={clear} />
        <p className="visually-hidden" role="status">
          {data && !isPlaceholderData ? formatModelCount(data.pagination.total_items) : ""}
        </p>
        {needsLogin && !signedIn && !loading ? (
          <LoginRequired returnTo={`/models?${params}`} />
        ) : (
          <ModelResults
            page={data}
            failed={query.isError}
            stale={isPlaceholderData}
            rows={MODELS_PER_PAGE}
            isSavedOnly={selected.length === 1 && filters.saved === CHECKED && !filters.search}
            retry={() => void query.refetch()}
            goToFirstPage={() => setFilter({})}
            clear={clear}
            renderActions={(model) => (
              <RowActions model={model} picks={picks} setPicks={setPicks} signedIn={signedIn} />
            )}
          />
        )}
        {data ? (
          <Pager
            {...data.pagination}
            label={t`models`}
            scrollTargetId={LIST_ID}
            goToPage={(page) => setFilter({ page: page > 1 ? String(page) : "" })}
          />
        ) : null}
        {picks.length > 0 ? (
          <Suspense fallback={null}>
            <PicksBar
              picks={picks}
              to={comparisonPath(params, picks)}
              remove={(id) => setPicks(togglePick(picks, id))}
              clear={() => setPicks([])}
            />
          </Suspense>
        ) : null}
      </div>
      <Sheet open={isSheetOpen} onClose={() => setIsSheetOpen(false)} title={t`Filters`}>
        <Filters facets={data?.facets} filters={filters} setFilter={setFilter} signedIn={signedIn} />
        <button
          type="button"
          className={`btn primary full ${styles.sheetAction}`}
          onClick={() => setIsSheetOpen(false)}
        >
          {data ? plural(data.pagination.total_items, { one: "Show # model", other: "Show # models" }) : t`Show models`}
        </button>
      </Sheet>
    </div>
  );
}
