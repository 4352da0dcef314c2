import { isNotFound } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router-dom";
import type { PageLocation } from "#/app/page-module.ts";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { ApplicationView } from "#/features/applications/application-view.tsx";
import { applicationQuery } from "#/features/applications/queries.ts";
import { useApplicationsReadOnlyReason } from "#/features/applications/use-applications-read-only-reason.ts";

/** One OAuth application of the organization. */
export default function ApplicationPage() {
  const { id = "" } = useParams();
  const application = useQuery(applicationQuery(id));
  const barrier = useApplicationsReadOnlyReason();
  return (
    <>
      <Link className="small faint" to={paths.applications}>
        {t`Applications`}
      </Link>
      {application.data ? (
        <ApplicationView key={id} application={application.data} readOnlyReason={barrier} />
      ) : isNotFound(application.error) ? (
        <EmptyState
          title={t`There is no application with this id`}
          action={
            <Link className="btn primary" to={paths.applications}>
              {t`See the applications`}
            </Link>
          }
        >
          {t`It was deleted, or it belongs to another organization.`}
        </EmptyState>
      ) : application.isError ? (
        <>
          <h1 className="h2">{t`Application`}</h1>
          <LoadError subject={t`The application`} error={application.error} retry={() => void application.refetch()} />
        </>
      ) : (
        <div aria-busy="true">
          <h1 className="h2">
            <span className="visually-hidden">{t`Loading the application`}</span>
            <Skeleton width={220} height={36} />
          </h1>
          <div className="mt-6">
            <Skeleton height={180} />
          </div>
        </div>
      )}
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient, { params }: PageLocation): Promise<void> =>
  client.prefetchQuery(applicationQuery(params.id ?? ""));
