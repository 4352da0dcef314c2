import type { AdminDeployment } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { BulkButton } from "#/components/list/bulk/bulk-button.tsx";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { useSelection } from "#/components/list/bulk/selection.ts";
import { useBulkAction } from "#/components/list/bulk/use-bulk-action.ts";
import { ListPage } from "#/components/list/list-page.tsx";
import { readList } from "#/components/list/list-params.ts";
import type { Column } from "#/components/list/list-table.tsx";
import { useListState } from "#/components/list/use-list-state.ts";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { LinkedName } from "#/features/admin/linked-name.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { createMenuColumn } from "#/features/admin/row-menu.tsx";
import { DeploymentState } from "#/features/admin/system/deployment-state.tsx";
import { deploymentsQuery } from "#/features/admin/system/queries.ts";
import { feather } from "#/lib/feather.ts";

const COLUMNS: Column<AdminDeployment>[] = [
  {
    header: t`Deployment`,
    cell: (deployment) => (
      <>
        <Link className="strong" to={adminPaths.deployment(deployment.id)}>
          {deployment.name}
        </Link>
        <br />
        <ModelId id={deployment.model_id} />
      </>
    ),
  },
  {
    header: t`Organization`,
    cell: ({ organization: { id, name } }) => (
      <LinkedName name={name} id={id} to={adminPaths.audit({ organization_id: id })} />
    ),
    hideWhenNarrow: true,
  },
  {
    header: t`Made by`,
    cell: ({ creator }) =>
      creator ? (
        <LinkedName name={creator.name} id={creator.id} detail={creator.email} to={adminPaths.user(creator.id)} />
      ) : (
        <span className="faint">{t`an account that is gone`}</span>
      ),
    hideWhenNarrow: true,
  },
  {
    header: t`Runs on`,
    cell: ({ provider_id, region, instance_type }) => (
      <span className="small muted">
        {provider_id} · {region} · {instance_type}
      </span>
    ),
    hideWhenNarrow: true,
  },
  {
    header: t`Replicas`,
    cell: ({ ready_replicas, desired_replicas }) => t`${ready_replicas} of ${desired_replicas}`,
    isNumeric: true,
    hideWhenNarrow: true,
  },
  { header: t`Changed`, cell: ({ updated_at }) => <RelativeTime date={updated_at} />, hideWhenNarrow: true },
  {
    header: t`State`,
    cell: (deployment) => <DeploymentState deployment={deployment} />,
  },
];

/** The deployments of all organizations, with bulk redeploy. */
export default function AdminDeploymentsPage() {
  const list = useListState([]);
  const deployments = useQuery(deploymentsQuery(list.page));
  const selection = useSelection();
  const bulk = useBulkAction(
    async (ids) => (await feather.admin.deployments.redeploy({ ids: [...ids] })).results,
    ADMIN_QUERY_KEYS,
    selection,
  );
  const namesById = new Map(deployments.data?.items.map(({ id, name }) => [id, name]));
  return (
    <ListPage
      title={t`Deployments`}
      description={t`Models that run for one organization alone. A redeploy replaces all replicas, one after the other.`}
      list={list}
      query={deployments}
      columns={[
        ...COLUMNS,
        createMenuColumn(
          ({ name }: AdminDeployment) => name,
          ({ id }) => [{ label: t`Redeploy`, run: () => bulk.run([id]) }],
        ),
      ]}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      selection={selection}
      selectionActions={<BulkButton label={t`Redeploy`} ids={selection.ids} bulkAction={bulk} />}
      empty={{
        title: t`No deployments`,
        text: t`Organizations whose plan has a private cloud make theirs under Account.`,
      }}
    >
      {bulk.results ? (
        <BulkResults
          title={t`Redeploy`}
          doneLabel={t`is replaced`}
          results={bulk.results}
          nameOf={(id) => namesById.get(id) ?? id}
          close={bulk.clearResults}
        />
      ) : null}
    </ListPage>
  );
}

/** Loads what the page reads first. */
export function prefetch(client: QueryClient, { search }: PageLocation): Promise<void> {
  const { page } = readList(search, []);
  return client.prefetchQuery(deploymentsQuery(page));
}
