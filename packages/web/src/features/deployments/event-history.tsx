import type { DeploymentEvent, DeploymentReplica } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { StateBadge } from "#/components/ui/primitives.tsx";
import { formatMoment, formatRelativeTime } from "#/lib/format.ts";
import styles from "./event-history.module.css";
import { describeState } from "./states.ts";

const INITIAL_ROWS = 8;

/** State changes of a deployment, newest first. */
export function EventHistory({ events }: { events: readonly DeploymentEvent[] }) {
  const [isExpanded, setExpanded] = useState(false);
  const visibleEvents = isExpanded ? events : events.slice(0, INITIAL_ROWS);
  return (
    <>
      <table>
        <caption className="visually-hidden">{t`Changes of state, newest first`}</caption>
        <thead>
          <tr>
            <th>{t`When`}</th>
            <th>{t`State`}</th>
            <th>{t`What happened`}</th>
          </tr>
        </thead>
        <tbody>
          {visibleEvents.map(({ state, message, happened_at }) => {
            const { label, tone } = describeState(state);
            return (
              <tr key={`${happened_at.getTime()} ${state} ${message}`}>
                <td className="small muted num">
                  <time dateTime={happened_at.toISOString()} title={formatMoment(happened_at)}>
                    {formatRelativeTime(happened_at)}
                  </time>
                </td>
                <td className="small">
                  <StateBadge tier={tone}>{label}</StateBadge>
                </td>
                <td className="small muted user-text">{message}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {events.length > visibleEvents.length ? (
        <button type="button" className="btn mt-3" onClick={() => setExpanded(true)}>
          <Trans>Show all {events.length}</Trans>
        </button>
      ) : null}
    </>
  );
}

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
