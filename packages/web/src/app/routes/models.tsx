import { plural, t } from "@lingui/core/macro";
import { Plural, Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { Link, useSearchParams } from "react-router-dom";
import { Skeleton } from "#/components/ui/bits.tsx";
import { Sheet } from "#/components/ui/dialog.tsx";
import { Pager } from "#/components/ui/pager.tsx";
import { SearchField } from "#/components/ui/search-field.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/features/auth/user.ts";
import { ChosenFilters, chosenIn } from "#/features/catalogue/chosen-filters.tsx";
import { PickBox } from "#/features/catalogue/compare/pick-box.tsx";
import { comparing, MOST, readPicks, toggled, writePicks } from "#/features/catalogue/compare/picks.ts";
import {
  type FilterState,
  isPersonal,
  ON,
  readFilters,
  toQuery,
  writeFilters,
} from "#/features/catalogue/filter-state.ts";
import { Filters } from "#/features/catalogue/filters.tsx";
import { countWords, LogInFirst, ModelResults } from "#/features/catalogue/model-results.tsx";
import { latestReleaseQuery, modelsQuery, statsQuery } from "#/features/catalogue/queries.ts";

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

const TOP = "model-list";

// What a first visit has no use for comes when it is asked for.
const CompareView = lazy(() => import("#/features/catalogue/compare/compare-view.tsx"));
const PicksBar = lazy(async () => ({
  default: (await import("#/features/catalogue/compare/picks-bar.tsx")).PicksBar,
}));
const SaveStar = lazy(async () => ({ default: (await import("#/features/catalogue/save-button.tsx")).SaveStar }));

export default function ModelsPage() {
  const [params] = useSearchParams();
  const { user } = useUser();
  return params.has("compare") ? (
    <div className="wrap section first">
      <Suspense fallback={<Skeleton height={420} />}>
        <CompareView signedIn={user !== null} />
      </Suspense>
    </div>
  ) : (
    <ModelsList />
  );
}

function ModelsList() {
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
            deeds={(model) => (
              <>
                <PickBox
                  id={model.id}
                  picked={picks.includes(model.id)}
                  full={picks.length === MOST}
                  toggle={() => pick(toggled(picks, model.id))}
                />
                {signedIn ? (
                  <Suspense fallback={<span className="star" />}>
                    <SaveStar model={model} />
                  </Suspense>
                ) : null}
              </>
            )}
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

export const prefill = async (client: QueryClient, { search }: Pick<Location, "search">): Promise<void> => {
  const params = new URLSearchParams(search);
  const filters = readFilters(params);
  // What depends on who looks is asked for once that is known; what is compared is a page of its own.
  const list = !params.has("compare") && !isPersonal(filters);
  await Promise.all([
    ...(list ? [client.prefetchQuery(modelsQuery(toQuery(filters, PER_PAGE)))] : []),
    client.prefetchQuery(statsQuery),
  ]);
};
