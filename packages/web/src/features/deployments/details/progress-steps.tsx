import type { Deployment, DeploymentEvent } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { formatClock } from "#/lib/format.ts";
import { type ProgressStep, toProgressSteps } from "../states.ts";
import styles from "./progress-steps.module.css";

const STATUS_LABELS: Record<ProgressStep["status"], string> = {
  done: t`done`,
  now: t`in progress`,
  failed: t`failed`,
  ahead: t`not yet`,
};

/** Progress of the latest start or update; nothing while none is expected. */
export function ProgressSteps({ deployment, events }: { deployment: Deployment; events: readonly DeploymentEvent[] }) {
  const steps = toProgressSteps(deployment, events);
  if (!steps) return null;
  return (
    <ol className={`${styles.steps} small`} aria-label={t`Progress`}>
      {steps.map(({ name, status, at, note }) => (
        <li key={name} className={styles[status]} aria-current={status === "now" ? "step" : undefined}>
          <b>{name}</b>
          <span className="visually-hidden">: {STATUS_LABELS[status]}</span>
          <div className="faint num">{note ?? (at ? formatClock(at) : status === "now" ? t`now` : "–")}</div>
        </li>
      ))}
    </ol>
  );
}
