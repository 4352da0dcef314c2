import type { DeploymentEvent } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { formatMoment, formatRelativeTime } from "#/lib/format.ts";
import { describeState } from "../states.ts";

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
