import { t } from "@lingui/core/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { feather } from "#/lib/feather.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./sessions.module.css";

/** The sessions of the account. */
export const sessionsQuery = queryOptions({ ...queries.auth.sessions.list.queryOptions() });

/** Settings of the account's sessions: list them and end others. */
export function Sessions() {
  const { data, isError, error, refetch } = useQuery(sessionsQuery);
  const revoke = useAction((id: string) => feather.auth.sessions.delete(id), {
    success: () => t`Signed out there`,
    invalidates: [sessionsQuery.queryKey],
  });
  const revokeOthers = useAction(() => feather.auth.sessions.deleteOthers(), {
    success: () => t`Signed out there`,
    invalidates: [sessionsQuery.queryKey],
  });

  return (
    <SettingsSection
      title={t`Sessions`}
      description={t`Where you are signed in. A session ends by itself after two weeks without use.`}
      action={
        data && data.items.length > 1 ? (
          <button type="button" className="btn" onClick={() => void revokeOthers.run()}>
            {t`End all others`}
          </button>
        ) : null
      }
    >
      {isError && data === undefined ? (
        <LoadError subject={t`Sessions`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <table>
          <thead>
            <tr>
              <th>{t`Where`}</th>
              <th className="wide-only">{t`Address`}</th>
              <th>{t`Last seen`}</th>
              <th>
                <span className="visually-hidden">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((session) => (
              <tr key={session.id}>
                <td className="user-text">{describeUserAgent(session.user_agent)}</td>
                <td className="wide-only mono">{session.ip ?? t`unknown`}</td>
                <td className="muted">{formatRelativeTime(session.last_seen_at)}</td>
                <td className={styles.action}>
                  {session.current ? (
                    <StateBadge tier="good">{t`this one`}</StateBadge>
                  ) : (
                    <button
                      type="button"
                      className="btn ghost"
                      aria-label={t`End the session of ${describeUserAgent(session.user_agent)}`}
                      onClick={() => void revoke.run(session.id)}
                    >
                      {t`End`}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SettingsSection>
  );
}

const PROGRAMS = ["Edg", "Firefox", "Chrome", "Safari", "curl", "node", "feather"] as const;
const SYSTEMS: [string, string][] = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["Linux", "Linux"],
];

/** Returns browser and system of a user agent, such as "Firefox on Linux"; its first 40 characters where unknown. */
function describeUserAgent(agent: string | null): string {
  if (!agent) return t`Unknown program`;
  const program = PROGRAMS.find((name) => agent.includes(name));
  const system = SYSTEMS.find(([marker]) => agent.includes(marker))?.[1];
  if (!program) return agent.slice(0, 40);
  const name = program === "Edg" ? "Edge" : program;
  return system ? t`${name} on ${system}` : name;
}
