import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { TerminalCommand } from "#/components/ui/code/terminal-command.tsx";
import { AsideNote } from "#/components/ui/feedback/aside-note.tsx";
import { EmptyState } from "#/components/ui/feedback/empty-state.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { ApplicationForm } from "#/features/applications/application-form.tsx";
import {
  type ApplicationValues,
  EMPTY_APPLICATION,
  toRequestBody,
} from "#/features/applications/application-schema.ts";
import { ApplicationSecretDialog, type NewSecret } from "#/features/applications/application-secret-dialog.tsx";
import { ApplicationTable } from "#/features/applications/application-table.tsx";
import { applicationsQuery } from "#/features/applications/queries.ts";
import { useApplicationsReadOnlyReason } from "#/features/applications/use-applications-read-only-reason.ts";
import { feather } from "#/lib/feather.ts";
import { useToast } from "#/lib/toast.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./applications.module.css";

/** The OAuth applications of the organization. `?new` shows the form. */
export default function ApplicationsPage() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const toast = useToast();
  const barrier = useApplicationsReadOnlyReason();
  const applications = useQuery(applicationsQuery);
  const [secret, setSecret] = useState<NewSecret | null>(null);
  const registers = params.has("new") && barrier === null;
  const items = applications.data?.items;

  const creation = useAction(
    (values: ApplicationValues, options) =>
      feather.applications.create({ ...toRequestBody(values), client_type: values.client_type }, options),
    {
      invalidates: [applicationsQuery.queryKey],
      onSuccess(created) {
        if (created.client_secret)
          return setSecret({
            name: created.name,
            clientId: created.id,
            secret: created.client_secret,
            previousValidUntil: null,
          });
        toast({ title: t`${created.name} is registered`, variant: "success" });
        return navigate(paths.application(created.id));
      },
    },
  );

  const register = (
    <Link className="btn primary" to="?new">
      {t`Register an application`}
    </Link>
  );
  return (
    <>
      <div className="row between wrapping">
        <h1 className="h2">{registers ? t`New application` : t`Applications`}</h1>
        {items && items.length > 0 && !registers && barrier === null ? register : null}
      </div>
      <p className={`muted mt-2 mb-5 ${styles.intro}`}>
        {t`A program of yours that acts for people who allow it, by OAuth. They sign in here; it never sees their password.`}
      </p>
      {barrier ? <AsideNote role="note">{barrier}</AsideNote> : null}
      {registers ? (
        <ApplicationForm
          initial={EMPTY_APPLICATION}
          isNew
          submitLabel={t`Register the application`}
          save={creation.submit}
          end={
            <Link className="btn ghost" to={paths.applications}>
              {t`Cancel`}
            </Link>
          }
        />
      ) : applications.isError ? (
        <LoadError subject={t`The applications`} error={applications.error} retry={() => void applications.refetch()} />
      ) : items === undefined ? (
        <div aria-busy="true">
          <span className="visually-hidden">{t`Loading the applications`}</span>
          <Skeleton height={120} />
        </div>
      ) : items.length === 0 ? (
        <EmptyState title={t`No applications yet`} action={barrier === null ? register : null}>
          <Trans>
            Register one to let people sign in to your program with their account here, and call models at the cost of
            their own plan.{" "}
            <Link className="link" to={paths.docs("oauth")}>
              How it works
            </Link>
          </Trans>
        </EmptyState>
      ) : (
        <ApplicationTable applications={items} />
      )}
      {registers ? null : <TerminalCommand command="feather apps list" />}
      <ApplicationSecretDialog
        newSecret={secret}
        close={() => {
          setSecret(null);
          if (secret) navigate(paths.application(secret.clientId));
        }}
      />
    </>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(applicationsQuery);
