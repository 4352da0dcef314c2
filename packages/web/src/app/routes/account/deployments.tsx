import { can } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router-dom";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { DeploymentTable } from "#/features/deployments/list/deployment-table.tsx";
import {
  type DeploymentFilters,
  filterDeployments,
  readFilters,
  toSearchParams,
} from "#/features/deployments/list/list-filters.ts";
import { DeploymentFilterBar } from "#/features/deployments/list/list-toolbar.tsx";
import { NotOnPlanNotice } from "#/features/deployments/not-on-plan-notice.tsx";
import { deploymentsQuery, providersQuery } from "#/features/deployments/queries.ts";
import { ReadOnlyNotice } from "#/features/deployments/read-only-notice.tsx";
import styles from "./deployments.module.css";

/** The deployments of the organization, with filters in the URL. */
export default function DeploymentsPage() {
  const { user } = useUser();
  const [params, setParams] = useSearchParams();
  const filters = readFilters(params);
  const set = (change: DeploymentFilters) => setParams(toSearchParams(filters, change), { replace: true });
  const { data, error, refetch } = useQuery(deploymentsQuery);
  const { data: providers } = useQuery(providersQuery);
  const plan = user?.organization.current_subscription?.plan;
  const lacksPlan = plan?.private_cloud === false;
  const canCreate = user !== null && can(user, "manage_deployments") && !lacksPlan;
  const filtered = data && filterDeployments(data, filters);
  const create = (
    <Link className="btn primary" to={paths.newDeployment()}>
      {t`Create deployment`}
    </Link>
  );
  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{t`Deployments`}</h1>
        {data && data.length > 0 && canCreate ? create : null}
      </div>
      <p className={`muted mt-2 ${styles.intro}`}>
        {t`A deployment runs one model for your organization alone, at an address of its own. It holds no units of your plan.`}
      </p>
      <ReadOnlyNotice user={user} permission="manage_deployments" what={t`the deployments`} />
      {lacksPlan ? <NotOnPlanNotice planName={plan.name} what={t`private cloud`} /> : null}
      {error ? <LoadError subject={t`The deployments`} error={error} retry={() => void refetch()} /> : null}
      {data === undefined ? (
        error ? null : (
          <div className="mt-6" aria-busy="true">
            <span className="visually-hidden" role="status">
              {t`Loading deployments`}
            </span>
            <DeploymentTable deployments={undefined} providers={providers} />
          </div>
        )
      ) : data.length === 0 ? (
        <EmptyState
          title={t`No deployments yet`}
          action={
            canCreate ? (
              create
            ) : lacksPlan ? (
              <Link className="btn primary" to={paths.pricing}>
                {t`See the plans`}
              </Link>
            ) : undefined
          }
        >
          <Trans>
            Choose a model and a place to run it; you get an address and a token for it. From a file, the same is{" "}
            <code className="mono">feather deployments apply -f deployment.yaml</code>.{" "}
            <Link className="link" to={paths.docs("deployments")}>
              How deployments work
            </Link>
          </Trans>
        </EmptyState>
      ) : (
        <>
          <DeploymentFilterBar filters={filters} onChange={set} deployments={data} providers={providers ?? []} />
          <p className="visually-hidden" role="status">
            <Trans>
              {filtered?.length} of {data.length} deployments
            </Trans>
          </p>
          {filtered?.length === 0 ? (
            <EmptyState
              title={t`No deployment matches`}
              action={
                <button type="button" className="btn" onClick={() => setParams(new URLSearchParams())}>
                  {t`Show all deployments`}
                </button>
              }
            >
              <Trans>None of your {data.length} fits these filters.</Trans>
            </EmptyState>
          ) : (
            <DeploymentTable deployments={filtered} providers={providers} />
          )}
        </>
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<unknown> =>
  Promise.all([client.prefetchQuery(deploymentsQuery), client.prefetchQuery(providersQuery)]);
