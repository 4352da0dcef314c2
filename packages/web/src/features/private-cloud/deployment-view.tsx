import { t } from "@lingui/core/macro";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { ModelId, Skeleton, State } from "#/components/ui/bits.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/features/auth/user.ts";
import { DeleteDialog } from "./delete-dialog.tsx";
import { Endpoint } from "./endpoint.tsx";
import { Facts } from "./facts.tsx";
import { readFault } from "./faults.ts";
import { History, Replicas } from "./history.tsx";
import { LogView } from "./log-view.tsx";
import { ManifestPanel } from "./manifest-panel.tsx";
import { PERIODS } from "./metrics.ts";
import { MetricsView } from "./metrics-view.tsx";
import { Failed, LookOnly } from "./notices.tsx";
import { ProgressSteps } from "./progress-steps.tsx";
import { type Deployment, eventsQuery, replicasQuery } from "./queries.ts";
import { mayManage } from "./rights.ts";
import { bodyOf, draftOf } from "./settings.ts";
import { type Part, SettingsDialog } from "./settings-dialog.tsx";
import { aboutState } from "./states.ts";
import { type DeploymentActions, useDeploymentActions } from "./use-actions.ts";

/** The page of a deployment: state, log, metrics, history, endpoint and settings. */
export function DeploymentView({ deployment }: { deployment: Deployment }) {
  const { user } = useUser();
  const [params, setParams] = useSearchParams();
  const actions = useDeploymentActions(deployment);
  const manages = mayManage(user) === true;
  const events = useQuery(eventsQuery(deployment.id));
  useNewsOf(deployment);
  const set = (change: Record<string, string | undefined>) =>
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
    <div className="deployment">
      <Header deployment={deployment} manages={manages} actions={actions} />
      <LookOnly user={user} what={t`the deployment and its logs`} />
      <ProgressSteps deployment={deployment} events={events.data ?? []} />
      <div className="two">
        <div className="sections">
          <LogView
            deployment={deployment}
            filter={{ words: params.get("log") ?? "", replica: params.get("replica") ?? "" }}
            set={({ words, replica }) =>
              set({ ...(words !== undefined && { log: words }), ...(replica !== undefined && { replica }) })
            }
          />
          <MetricsView deployment={deployment} hours={hours} table={params.get("view") === "table"} set={set} />
          <section aria-labelledby="history">
            <h2 className="h4" id="history">
              {t`History`}
            </h2>
            {events.error ? (
              <Failed message={readFault(events.error, t`The history`)} retry={() => void events.refetch()} />
            ) : events.data ? (
              <History events={events.data} />
            ) : (
              <Skeleton height={120} />
            )}
          </section>
        </div>
        <div className="sections">
          <Endpoint deployment={deployment} manages={manages} sorry={actions.sorry} />
          <section aria-labelledby="settings">
            <h2 className="h4 mb-3" id="settings">
              {t`Settings`}
            </h2>
            <Facts deployment={deployment} />
          </section>
          <ReplicasSection id={deployment.id} />
          <section aria-labelledby="file">
            <h2 className="h4 mb-3" id="file">
              {t`As a file`}
            </h2>
            <ManifestPanel body={bodyOf(draftOf(deployment))} />
          </section>
        </div>
      </div>
    </div>
  );
}

/** Refetches history and replicas when the state or the number of replicas changes. */
function useNewsOf({ id, state, ready_replicas: ready }: Deployment): void {
  const client = useQueryClient();
  const before = useRef(`${state} ${ready}`);
  useEffect(() => {
    const now = `${state} ${ready}`;
    if (before.current === now) return;
    before.current = now;
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
        <Failed message={readFault(error, t`The replicas`)} retry={() => void refetch()} />
      ) : data ? (
        <Replicas {...data} />
      ) : (
        <Skeleton height={44} />
      )}
    </section>
  );
}

type HeaderProps = { deployment: Deployment; manages: boolean; actions: DeploymentActions };

function Header({ deployment, manages, actions }: HeaderProps) {
  const { name, model_id, state, state_reason } = deployment;
  const { word, tone, says } = aboutState(state);
  return (
    <div className="head">
      <div>
        <Link className="small dim" to={paths.deployments}>
          {t`Deployments`}
        </Link>
        <h1 className="h2 stranger">{name}</h1>
        <div className="row wraps small mid mt-2">
          <span role="status">
            <State tier={tone}>{word}</State>
          </span>
          <ModelId id={model_id} />
        </div>
        <p className="small mid mt-2">
          {says} {state_reason ? <span className="reason">{state_reason}</span> : null}
        </p>
      </div>
      {manages && state !== "deleting" ? <Buttons deployment={deployment} actions={actions} /> : null}
    </div>
  );
}

function Buttons({ deployment, actions }: Omit<HeaderProps, "manages">) {
  const navigate = useNavigate();
  const [part, setPart] = useState<Part | null>(null);
  const [deleting, setDeleting] = useState(false);
  const { name, state } = deployment;
  return (
    <div className="row wraps buttons">
      {state === "paused" ? (
        <button type="button" className="btn primary" onClick={() => void actions.resume()}>
          {t`Resume`}
        </button>
      ) : (
        <button type="button" className="btn" onClick={() => void actions.pause()}>
          {t`Pause`}
        </button>
      )}
      <button type="button" className="btn" onClick={() => setPart("scale")}>
        {t`Scale`}
      </button>
      <button type="button" className="btn" onClick={() => setPart("edit")}>
        {t`Edit`}
      </button>
      <button type="button" className="btn danger" onClick={() => setDeleting(true)}>
        {t`Delete`}
      </button>
      <SettingsDialog deployment={deployment} part={part} close={() => setPart(null)} change={actions.change} />
      <DeleteDialog
        name={name}
        open={deleting}
        close={() => setDeleting(false)}
        remove={actions.remove}
        done={() => navigate(paths.deployments)}
      />
    </div>
  );
}

/** Skeleton of the page while the deployment is loading. */
export function DeploymentWaiting() {
  return (
    <div className="deployment" aria-busy="true">
      <span className="visually-hidden" role="status">
        {t`Loading the deployment`}
      </span>
      <Skeleton width={220} height={90} />
      <Skeleton height={56} />
      <div className="two">
        <Skeleton height={420} />
        <Skeleton height={420} />
      </div>
    </div>
  );
}
