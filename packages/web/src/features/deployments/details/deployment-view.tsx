import { can, type Deployment } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { ModelId } from "#/components/ui/labels/model-id.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import styles from "../deployments.module.css";
import { toDeploymentBody, toDraft } from "../form/draft.ts";
import { LogView } from "../logs/log-view.tsx";
import { ManifestPanel } from "../manifest-panel.tsx";
import { eventsQuery, replicasQuery } from "../queries.ts";
import { ReadOnlyNotice } from "../read-only-notice.tsx";
import { describeState } from "../states.ts";
import { type DeploymentActions, useDeploymentActions } from "../use-deployment-actions.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { DeploymentDetails } from "./deployment-details.tsx";
import { Endpoint } from "./endpoint.tsx";
import { EventHistory } from "./event-history.tsx";
import { PERIODS } from "./metrics.ts";
import { MetricsView } from "./metrics-view.tsx";
import { ProgressSteps } from "./progress-steps.tsx";
import { ReplicaList } from "./replica-list.tsx";
import { SettingsDialog, type SettingsPart } from "./settings-dialog.tsx";

/** The page of a deployment: state, log, metrics, history, endpoint and settings. */
export function DeploymentView({ deployment }: { deployment: Deployment }) {
  const { user } = useUser();
  const [params, setParams] = useSearchParams();
  const actions = useDeploymentActions(deployment);
  const canManage = user !== null && can(user, "manage_deployments");
  const events = useQuery(eventsQuery(deployment.id));
  useRefreshOnStateChange(deployment);
  const updateParams = (change: Record<string, string | undefined>) =>
    setParams(
      (current) => {
        const next = new URLSearchParams(current);
        for (const [name, value] of Object.entries(change)) value ? next.set(name, value) : next.delete(name);
        return next;
      },
      { replace: true, preventScrollReset: true },
    );
  const hours = PERIODS.find((period) => String(period.hours) === params.get("hours"))?.hours ?? 24;

  return (
    <div className={styles.deployment}>
      <Header deployment={deployment} canManage={canManage} actions={actions} />
      <ReadOnlyNotice user={user} permission="manage_deployments" what={t`the deployment and its logs`} />
      <ProgressSteps deployment={deployment} events={events.data ?? []} />
      <div className={styles.two}>
        <div className={styles.sections}>
          <LogView
            deployment={deployment}
            filter={{ search: params.get("log") ?? "", replica: params.get("replica") ?? "" }}
            setFilter={({ search, replica }) =>
              updateParams({ ...(search !== undefined && { log: search }), ...(replica !== undefined && { replica }) })
            }
          />
          <MetricsView
            deployment={deployment}
            hours={hours}
            isTable={params.get("view") === "table"}
            setParams={updateParams}
          />
          <section aria-labelledby="history">
            <h2 className="h4" id="history">
              {t`History`}
            </h2>
            {events.error ? (
              <LoadError subject={t`The history`} error={events.error} retry={() => void events.refetch()} />
            ) : events.data ? (
              <EventHistory events={events.data} />
            ) : (
              <Skeleton height={120} />
            )}
          </section>
        </div>
        <div className={styles.sections}>
          <Endpoint deployment={deployment} canManage={canManage} />
          <section aria-labelledby="settings">
            <h2 className="h4 mb-3" id="settings">
              {t`Settings`}
            </h2>
            <DeploymentDetails deployment={deployment} />
          </section>
          <ReplicasSection id={deployment.id} />
          <section aria-labelledby="file">
            <h2 className="h4 mb-3" id="file">
              {t`As a file`}
            </h2>
            <ManifestPanel body={toDeploymentBody(toDraft(deployment))} />
          </section>
        </div>
      </div>
    </div>
  );
}

/** Refetches history and replicas when the state or the number of replicas changes. */
function useRefreshOnStateChange({ id, state, ready_replicas: ready }: Deployment): void {
  const client = useQueryClient();
  const previous = useRef(`${state} ${ready}`);
  useEffect(() => {
    const now = `${state} ${ready}`;
    if (previous.current === now) return;
    previous.current = now;
    void client.invalidateQueries({ queryKey: eventsQuery(id).queryKey });
    void client.invalidateQueries({ queryKey: replicasQuery(id).queryKey });
  }, [client, id, state, ready]);
}

function ReplicasSection({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(replicasQuery(id));
  return (
    <section aria-labelledby="replicas">
      <h2 className="h4 mb-3" id="replicas">
        {t`Replicas`}
      </h2>
      {error ? (
        <LoadError subject={t`The replicas`} error={error} retry={() => void refetch()} />
      ) : data ? (
        <ReplicaList {...data} />
      ) : (
        <Skeleton height={44} />
      )}
    </section>
  );
}

type HeaderProps = { deployment: Deployment; canManage: boolean; actions: DeploymentActions };

function Header({ deployment, canManage, actions }: HeaderProps) {
  const { name, model_id, state, state_reason } = deployment;
  const { label, tone, description } = describeState(state);
  return (
    <div className={styles.head}>
      <div>
        <Link className="small faint" to={paths.deployments}>
          {t`Deployments`}
        </Link>
        <h1 className="h2 user-text">{name}</h1>
        <div className="row wrapping small muted mt-2">
          <span role="status">
            <StateBadge tier={tone}>{label}</StateBadge>
          </span>
          <ModelId id={model_id} />
        </div>
        <p className="small muted mt-2">
          {description} {state_reason ? <span className={styles.reason}>{state_reason}</span> : null}
        </p>
      </div>
      {canManage && state !== "deleting" ? <HeaderActions deployment={deployment} actions={actions} /> : null}
    </div>
  );
}

function HeaderActions({ deployment, actions }: Omit<HeaderProps, "canManage">) {
  const navigate = useNavigate();
  const [openPart, setOpenPart] = useState<SettingsPart | null>(null);
  const [isDeleting, setIsDeleting] = useState(false);
  const { name, state } = deployment;
  return (
    <div className="row wrapping buttons">
      {state === "paused" ? (
        <button type="button" className="btn primary" onClick={() => void actions.resume()}>
          {t`Resume`}
        </button>
      ) : (
        <button type="button" className="btn" onClick={() => void actions.pause()}>
          {t`Pause`}
        </button>
      )}
      <button type="button" className="btn" onClick={() => setOpenPart("scale")}>
        {t`Scale`}
      </button>
      <button type="button" className="btn" onClick={() => setOpenPart("edit")}>
        {t`Edit`}
      </button>
      <button type="button" className="btn danger" onClick={() => setIsDeleting(true)}>
        {t`Delete`}
      </button>
      <SettingsDialog deployment={deployment} part={openPart} close={() => setOpenPart(null)} update={actions.update} />
      <DeleteDialog
        name={name}
        open={isDeleting}
        close={() => setIsDeleting(false)}
        remove={actions.remove}
        onDeleted={() => navigate(paths.deployments)}
      />
    </div>
  );
}
