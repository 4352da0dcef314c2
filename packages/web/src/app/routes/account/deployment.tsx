import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { paths } from "#/config/paths.ts";
import { DeploymentSkeleton } from "#/features/deployments/details/deployment-skeleton.tsx";
import { DeploymentView } from "#/features/deployments/details/deployment-view.tsx";
import { deploymentQuery } from "#/features/deployments/queries.ts";

/** One deployment of the organization. */
export default function DeploymentPage() {
  const { id = "" } = useParams();
  return <DeploymentDetails key={id} id={id} />;
}

function DeploymentDetails({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(deploymentQuery(id));
  if (isApiError(error) && error.status === 404)
    return (
      <EmptyState
        title={data ? t`${data.name} is deleted` : t`There is no such deployment`}
        action={
          <Link className="btn primary" to={paths.deployments}>
            {t`All deployments`}
          </Link>
        }
      >
        {data
          ? t`Its replicas have ended, and its name is free again.`
          : t`It was deleted, or belongs to another organization.`}
      </EmptyState>
    );
  return (
    <>
      {data || !error ? null : (
        <>
          <Link className="small faint" to={paths.deployments}>
            {t`Deployments`}
          </Link>
          <h1 className="h2 mb-5">{t`Deployment`}</h1>
        </>
      )}
      {error ? <LoadError subject={t`The deployment`} error={error} retry={() => void refetch()} /> : null}
      {data ? <DeploymentView deployment={data} /> : error ? null : <DeploymentSkeleton />}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<void> =>
  client.prefetchQuery(deploymentQuery(params.id ?? ""));
