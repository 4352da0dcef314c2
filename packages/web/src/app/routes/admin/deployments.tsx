import type { Schemas } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { ModelId } from "#/components/ui/bits.tsx";
import { BulkButton } from "#/features/admin/bulk-button.tsx";
import { Moment, Who } from "#/features/admin/cells.tsx";
import { ListPage } from "#/features/admin/list/list-page.tsx";
import type { Column } from "#/features/admin/list/list-table.tsx";
import { useSelection } from "#/features/admin/list/selection.ts";
import { useList } from "#/features/admin/list/use-list.ts";
import { adminPaths } from "#/features/admin/paths.ts";
import { Results } from "#/features/admin/results.tsx";
import { menuColumn } from "#/features/admin/row-menu.tsx";
import { DeploymentState } from "#/features/admin/system/deployment-state.tsx";
import { deploymentsQuery } from "#/features/admin/system/queries.ts";
import { useBulk } from "#/features/admin/use-bulk.ts";
import { feather } from "#/lib/feather.ts";

type Deployment = Schemas["AdminDeployment"];

const COLUMNS: Column<Deployment>[] = [
  {
    head: t`Deployment`,
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
    head: t`Organization`,
    cell: ({ organization: { id, name } }) => (
      <Who name={name} id={id} to={adminPaths.audit({ organization_id: id })} />
    ),
    wide: true,
  },
  {
    head: t`Made by`,
    cell: ({ creator }) =>
      creator ? (
        <Who name={creator.name} id={creator.id} below={creator.email} to={adminPaths.user(creator.id)} />
      ) : (
        <span className="dim">{t`an account that is gone`}</span>
      ),
    wide: true,
  },
  {
    head: t`Runs on`,
    cell: ({ provider_id, region, instance_type }) => (
      <span className="small mid">
        {provider_id} · {region} · {instance_type}
      </span>
    ),
    wide: true,
  },
  {
    head: t`Replicas`,
    cell: ({ ready_replicas, desired_replicas }) => t`${ready_replicas} of ${desired_replicas}`,
    figure: true,
    wide: true,
  },
  { head: t`Changed`, cell: ({ updated_at }) => <Moment date={updated_at} />, wide: true },
  {
    head: t`State`,
    cell: (deployment) => <DeploymentState deployment={deployment} />,
  },
];

/** The deployments of all organizations, with bulk redeploy. */
export default function AdminDeploymentsPage() {
  const list = useList([]);
  const deployments = useQuery(deploymentsQuery(list.page));
  const selection = useSelection();
  const many = useBulk(async (ids) => (await feather.admin.deployments.redeploy({ ids: [...ids] })).results);
  const named = new Map(deployments.data?.items.map(({ id, name }) => [id, name]));
  return (
    <ListPage
      title={t`Deployments`}
      about={t`Models that run for one organization alone. A redeploy replaces all replicas, one after the other.`}
      list={list}
      query={deployments}
      columns={[
        ...COLUMNS,
        menuColumn(
          ({ name }: Deployment) => name,
          ({ id }) => [{ label: t`Redeploy`, run: () => void many.run([id]) }],
        ),
      ]}
      idOf={({ id }) => id}
      nameOf={({ name }) => name}
      selection={selection}
      chosen={<BulkButton label={t`Redeploy`} ids={selection.ids} many={many} />}
      empty={{
        title: t`No deployments`,
        text: t`Organizations whose plan has a private cloud make theirs under Account.`,
      }}
    >
      {many.results ? (
        <Results
          title={t`Redeploy`}
          done={t`is replaced`}
          results={many.results}
          nameOf={(id) => named.get(id) ?? id}
          close={many.forget}
        />
      ) : null}
    </ListPage>
  );
}
