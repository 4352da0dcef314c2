import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useState } from "react";
import { State } from "#/components/ui/bits.tsx";
import { dateFormat, moment } from "#/lib/format.ts";
import type { DeploymentEvent, Replica } from "./queries.ts";
import { aboutState } from "./states.ts";

const stamp = dateFormat({ dateStyle: "medium", timeStyle: "medium" });

const SHOWN = 8;

/** State changes of a deployment, newest first. */
export function History({ events }: { events: readonly DeploymentEvent[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? events : events.slice(0, SHOWN);
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
          {shown.map(({ state, message, happened_at }) => {
            const { word, tone } = aboutState(state);
            return (
              <tr key={`${happened_at.getTime()} ${state} ${message}`}>
                <td className="small mid num">
                  <time dateTime={happened_at.toISOString()} title={stamp.format(happened_at)}>
                    {moment(happened_at)}
                  </time>
                </td>
                <td className="small">
                  <State tier={tone}>{word}</State>
                </td>
                <td className="small mid stranger">{message}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {events.length > shown.length ? (
        <button type="button" className="btn mt-3" onClick={() => setAll(true)}>
          <Trans>Show all {events.length}</Trans>
        </button>
      ) : null}
    </>
  );
}

const TIER: Record<Replica["state"], string> = { starting: "loading", ready: "good", failed: "bad", stopping: "cold" };

/** The current replicas of a deployment. */
export function Replicas({ generation, items }: { generation: number; items: readonly Replica[] }) {
  if (items.length === 0) return <p className="mid small">{t`None runs just now.`}</p>;
  return (
    <ul className="replicas">
      {items.map((replica) => (
        <li key={`${replica.generation} ${replica.name}`}>
          <div className="row between">
            <span>
              {t`Replica`} <span className="mono">{replica.name}</span>
              {replica.generation < generation ? (
                <span className="dim small"> {t`· from before the change`}</span>
              ) : null}
            </span>
            <span className="small">
              <State tier={TIER[replica.state]}>{replica.state}</State>
            </span>
          </div>
          {replica.reason ? <p className="small dim stranger">{replica.reason}</p> : null}
        </li>
      ))}
    </ul>
  );
}
