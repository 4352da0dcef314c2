import type { AdminDeployment } from "@feather/sdk";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import styles from "../admin.module.css";

const TIERS: Record<AdminDeployment["state"], string> = {
  pending: "loading",
  initializing: "loading",
  running: "good",
  scaled_to_zero: "cold",
  updating: "loading",
  update_failed: "bad",
  paused: "offline",
  failed: "bad",
  deleting: "offline",
};

/** The state of a deployment and its reason. */
export function DeploymentState({ deployment: { state, state_reason } }: { deployment: AdminDeployment }) {
  return (
    <span className="small">
      <StateBadge tier={TIERS[state]}>{state.replaceAll("_", " ")}</StateBadge>
      {state_reason ? <div className={`tiny faint ${styles.cellNote} user-text`}>{state_reason}</div> : null}
    </span>
  );
}
