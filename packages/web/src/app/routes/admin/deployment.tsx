import { type AdminDeployment, isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { BulkResults } from "#/components/list/bulk/bulk-results.tsx";
import { useBulkAction } from "#/components/list/bulk/use-bulk-action.ts";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { Id } from "#/features/admin/id.tsx";
import { adminPaths } from "#/features/admin/paths.ts";
import { ADMIN_QUERY_KEYS } from "#/features/admin/query-keys.ts";
import { RelativeTime } from "#/features/admin/relative-time.tsx";
import { RowMenu } from "#/features/admin/row-menu.tsx";
import { DeploymentState } from "#/features/admin/system/deployment-state.tsx";
import { deploymentByIdQuery } from "#/features/admin/system/queries.ts";
import { formatScaling, formatSleep } from "#/features/deployments/labels.ts";
import { feather } from "#/lib/feather.ts";
import styles from "./deployment.module.css";

/** One deployment of any organization: its owner, configuration and state. */
export default function AdminDeploymentPage() {
  const { id = "" } = useParams();
  const { data: deployment, error, refetch } = useQuery(deploymentByIdQuery(id));
  const redeploy = useBulkAction(
    async (ids) => (await feather.admin.deployments.redeploy({ ids: [...ids] })).results,
    ADMIN_QUERY_KEYS,
  );
  const actions = [{ label: t`Redeploy`, run: () => redeploy.run([id]) }];
  const gone = isApiError(error) && error.status === 404;
  return (
    <>
      <PageHeader
        title={<bdi>{deployment?.name ?? t`Deployment`}</bdi>}
        description={deployment ? <ModelId id={deployment.model_id} /> : undefined}
        parentPage={{ label: t`Deployments`, to: adminPaths.deployments }}
        action={deployment ? <RowMenu name={deployment.name} actions={actions} hasTextTrigger /> : undefined}
      />
      {redeploy.results ? (
        <BulkResults
          title={t`Redeploy`}
          doneLabel={t`is replaced`}
          results={redeploy.results}
          nameOf={() => deployment?.name ?? id}
          close={redeploy.clearResults}
        />
      ) : null}
      {gone ? (
        <EmptyState
          title={t`There is no such deployment`}
          action={
            <Link className="btn primary" to={adminPaths.deployments}>
              {t`All deployments`}
            </Link>
          }
        >
          {t`It was deleted, or the address is wrong.`}
        </EmptyState>
      ) : error && !deployment ? (
        <LoadError subject={t`The deployment`} error={error} retry={() => void refetch()} />
      ) : deployment ? (
        <>
          <dl className={`facts ${styles.facts}`}>
            {factsOf(deployment).map(([label, value]) => (
              <Fact key={label} label={label}>
                {value}
              </Fact>
            ))}
          </dl>
          <TerminalCommand command={`feather admin deployments show ${deployment.id}`} />
        </>
      ) : (
        <Skeleton height={320} />
      )}
    </>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </>
  );
}

function factsOf(deployment: AdminDeployment): [string, ReactNode][] {
  const { organization, creator, ready_replicas, desired_replicas, engine_args } = deployment;
  const args = Object.entries(engine_args);
  return [
    [t`State`, <DeploymentState key="state" deployment={deployment} />],
    [
      t`Organization`,
      <Link key="organization" className="link user-text" to={adminPaths.audit({ organization_id: organization.id })}>
        <bdi>{organization.name}</bdi>
      </Link>,
    ],
    [
      t`Made by`,
      creator ? (
        <Link key="creator" className="link user-text" to={adminPaths.user(creator.id)}>
          <bdi>{creator.name}</bdi>
        </Link>
      ) : (
        t`an account that is gone`
      ),
    ],
    [t`Runs on`, `${deployment.provider_id} · ${deployment.region} · ${deployment.instance_type}`],
    [t`Replicas`, t`${ready_replicas} of ${desired_replicas}`],
    [t`Scales`, formatScaling(deployment)],
    [t`Sleeps`, formatSleep(deployment)],
    [t`Open to`, deployment.visibility === "public" ? t`everybody` : t`token and keys`],
    [t`Revision`, <Id key="revision">{deployment.revision ?? "–"}</Id>],
    [t`Arguments`, args.length === 0 ? t`none` : <Id key="args">{args.map((pair) => pair.join("=")).join(" ")}</Id>],
    [t`Created`, <RelativeTime key="created" date={deployment.created_at} />],
    [t`Changed`, <RelativeTime key="changed" date={deployment.updated_at} />],
    [t`Deployment id`, <Id key="id">{deployment.id}</Id>],
  ];
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<void> =>
  client.prefetchQuery(deploymentByIdQuery(params.id ?? ""));
