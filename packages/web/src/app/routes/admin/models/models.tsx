import type { AdminModel, Query } from "@feather/sdk";
import { plural, t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { BulkButton } from "#/components/list/bulk/bulk-button.tsx";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { runForEach } from "#/components/list/bulk/run-for-each.ts";
import { useSelection } from "#/components/list/bulk/selection.ts";
import { useBulkAction } from "#/components/list/bulk/use-bulk-action.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { type Filter, type ListValues, readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { Barbs } from "#/components/ui/labels/barbs.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { paths } from "#/config/paths.ts";
import { ModelState } from "#/features/admin/models/model-state.tsx";
import { modelsQuery } from "#/features/admin/models/queries.ts";
import { useModelActions } from "#/features/admin/models/use-model-actions.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { feather } from "#/lib/feather.ts";
import { formatContextLength, formatCount, formatParameterCount } from "#/lib/format.ts";

const FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Owner, name or words of it` },
  {
    name: "status",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "active", label: t`Runs` },
      { value: "pending_deploy", label: t`Requested` },
      { value: "not_deployed", label: t`Does not run` },
    ],
  },
];

const COLUMNS: Column<AdminModel>[] = [
  {
    header: t`Model`,
    cell: (model) => (
      <>
        <Link to={adminPaths.model(model.id)}>
          <ModelId id={model.id} />
        </Link>
        <div className="mono small faint user-text">{model.model_class}</div>
      </>
    ),
  },
  {
    header: t`Size`,
    cell: (model) => formatParameterCount(model.parameter_size),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Context`,
    cell: (model) => formatContextLength(model.context_length),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  {
    header: t`Units`,
    cell: (model) => (
      <Barbs
        active={model.concurrency_cost}
        label={plural(model.concurrency_cost, { one: "# unit", other: "# units" })}
      />
    ),
    hideWhenNarrow: true,
  },
  { header: t`Source`, cell: (model) => <span className="small muted">{model.source}</span>, hideWhenNarrow: true },
  {
    header: t`Asked for`,
    cell: (model) => (model.request_count ? formatCount(model.request_count) : "–"),
    isNumeric: true,
    hideWhenNarrow: true,
  },
  { header: t`State`, cell: (model) => <ModelState model={model} /> },
];

const toQuery = ({ values, page }: ListValues) => ({ ...values, page, perPage: 50 }) as Query<"admin.models.list">;

/** The whole catalogue, with bulk redeploy. */
export default function AdminModelsPage() {
  const list = useListState(FILTERS);
  const navigate = useNavigate();
  const models = useQuery(modelsQuery(toQuery(list)));
  const selection = useSelection();
  const { redeploy, setDisabled, remove } = useModelActions();
  const bulk = useBulkAction(
    (ids) => runForEach(ids, (id) => feather.admin.models.redeploy(id)),
    ADMIN_QUERY_KEYS,
    selection,
  );
  const actionsOf = (model: AdminModel) => [
    { label: t`Edit`, run: () => void navigate(adminPaths.model(model.id)) },
    { label: t`Prices`, run: () => void navigate(adminPaths.price(model.id)) },
    // A private model has a page for its own organization only.
    ...(model.is_private ? [] : [{ label: t`See its page`, run: () => void navigate(paths.model(model.id)) }]),
    { label: t`Redeploy`, run: () => void redeploy(model.id) },
    { label: model.disabled ? t`Switch on` : t`Switch off`, run: () => void setDisabled(model.id, !model.disabled) },
    { label: t`Delete`, run: () => remove(model.id), destructive: true },
  ];
  const add = (
    <Link className="btn primary" to={adminPaths.newModel}>
      {t`Add models`}
    </Link>
  );
  return (
    <ListPage
      title={t`Models`}
      description={t`The whole catalogue, with what is switched off. What users ask for that is missing stands under Requests.`}
      action={add}
      list={list}
      query={models}
      columns={[...COLUMNS, createMenuColumn((model: AdminModel) => model.id, actionsOf)]}
      idOf={({ id }) => id}
      selection={selection}
      selectionActions={<BulkButton label={t`Redeploy`} ids={selection.ids} bulkAction={bulk} />}
      empty={{ title: t`The catalogue is empty`, text: t`Import models from the hub, or enter your own.`, action: add }}
    >
      {bulk.results ? (
        <BulkResults
          title={t`Redeploy`}
          doneLabel={t`is loaded again`}
          results={bulk.results}
          close={bulk.clearResults}
        />
      ) : null}
    </ListPage>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { search }: PageLocation): Promise<void> =>
  client.prefetchQuery(modelsQuery(toQuery(readList(search, FILTERS))));
