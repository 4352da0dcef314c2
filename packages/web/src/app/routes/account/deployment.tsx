import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { DeploymentView, DeploymentWaiting } from "#/features/private-cloud/deployment-view.tsx";
import { readFault } from "#/features/private-cloud/faults.ts";
import { Failed } from "#/features/private-cloud/notices.tsx";
import { deploymentQuery } from "#/features/private-cloud/queries.ts";

/** One deployment of the organization. */
export default function DeploymentPage() {
  const { id = "" } = useParams();
  return <Shown key={id} id={id} />;
}

function Shown({ id }: { id: string }) {
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
          <Link className="small dim" to={paths.deployments}>
            {t`Deployments`}
          </Link>
          <h1 className="h2 mb-5">{t`Deployment`}</h1>
        </>
      )}
      {error ? <Failed message={readFault(error, t`The deployment`)} retry={() => void refetch()} /> : null}
      {data ? <DeploymentView deployment={data} /> : error ? null : <DeploymentWaiting />}
    </>
  );
}
