import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link } from "react-router-dom";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { OperationsCharts } from "#/features/admin/operations/operations-charts.tsx";
import { OperationsDetails } from "#/features/admin/operations/operations-details.tsx";
import { OperationsStats } from "#/features/admin/operations/operations-stats.tsx";
import { operationsQuery } from "#/features/admin/operations/queries.ts";
import { formatMoment } from "#/lib/format.ts";

/** How the server does now, and did in the last hour. */
export default function AdminOperationsPage() {
  const { data, error, refetch } = useQuery(operationsQuery);
  return (
    <>
      <PageHeader
        title={t`Operations`}
        description={
          <Trans>
            This server with its workers, now and in the last hour. Prometheus and OpenTelemetry can have the same and
            keep it:{" "}
            <Link className="link" to="/docs/operations">
              how to watch a server
            </Link>
            .
          </Trans>
        }
      />
      {data === undefined && error ? (
        <LoadError subject={t`The state of the server`} error={error} retry={() => void refetch()} />
      ) : (
        <OperationsStats operations={data} />
      )}
      {data ? (
        <>
          <OperationsCharts points={data.points} />
          <OperationsDetails operations={data} />
          <p className="small faint mt-6">{t`Version ${data.version}, running since ${formatMoment(data.started_at)}.`}</p>
        </>
      ) : error ? null : (
        <p className="mt-6">
          <Skeleton height={480} />
        </p>
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(operationsQuery);
