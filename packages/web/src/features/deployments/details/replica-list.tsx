import type { DeploymentReplica } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import styles from "./replica-list.module.css";

const REPLICA_TIERS: Record<DeploymentReplica["state"], string> = {
  starting: "loading",
  ready: "good",
  failed: "bad",
  stopping: "cold",
};

/** The current replicas of a deployment. */
export function ReplicaList({ generation, items }: { generation: number; items: readonly DeploymentReplica[] }) {
  if (items.length === 0) return <p className="muted small">{t`None runs just now.`}</p>;
  return (
    <ul className={styles.replicas}>
      {items.map((replica) => (
        <li key={`${replica.generation} ${replica.name}`}>
          <div className="row between">
            <span>
              {t`Replica`} <span className="mono">{replica.name}</span>
              {replica.generation < generation ? (
                <span className="faint small"> {t`· from before the change`}</span>
              ) : null}
            </span>
            <span className="small">
              <StateBadge tier={REPLICA_TIERS[replica.state]}>{replica.state}</StateBadge>
            </span>
          </div>
          {replica.reason ? <p className="small faint user-text">{replica.reason}</p> : null}
        </li>
      ))}
    </ul>
  );
}
