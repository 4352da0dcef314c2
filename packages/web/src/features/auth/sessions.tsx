import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { Skeleton, State } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { SettingsSection } from "#/components/ui/settings-section.tsx";
import { useToast } from "#/components/ui/toast.tsx";
import { wordsOf } from "#/lib/fault.ts";
import { feather } from "#/lib/feather.ts";
import { moment } from "#/lib/format.ts";

const sessionsQuery = queryOptions({ queryKey: ["sessions"], queryFn: async () => feather.auth.sessions.list() });

/** Settings of the account's sessions: list them and end others. */
export function Sessions() {
  const { data, isError, error, refetch } = useQuery(sessionsQuery);
  const client = useQueryClient();
  const toast = useToast();

  async function end(work: () => PromiseLike<unknown>): Promise<void> {
    try {
      await work();
      toast({ title: t`Signed out there` });
    } catch (error) {
      toast({ title: isApiError(error) ? wordsOf(error) : t`The server cannot be reached.`, variant: "destructive" });
    }
    await client.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  }

  return (
    <SettingsSection
      title={t`Sessions`}
      about={t`Where you are signed in. A session ends by itself after two weeks without use.`}
      action={
        data && data.items.length > 1 ? (
          <button type="button" className="btn" onClick={() => void end(() => feather.auth.sessions.deleteOthers())}>
            {t`End all others`}
          </button>
        ) : null
      }
    >
      {isError && data === undefined ? (
        <ReadFault what={t`Sessions`} error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : (
        <table>
          <thead>
            <tr>
              <th>{t`Where`}</th>
              <th className="w">{t`Address`}</th>
              <th>{t`Last seen`}</th>
              <th>
                <span className="visually-hidden">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((session) => (
              <tr key={session.id}>
                <td className="stranger">{programOf(session.user_agent)}</td>
                <td className="w mono">{session.ip ?? t`unknown`}</td>
                <td className="mid">{moment(session.last_seen_at)}</td>
                <td style={{ textAlign: "end" }}>
                  {session.current ? (
                    <State tier="good">{t`this one`}</State>
                  ) : (
                    <button
                      type="button"
                      className="btn ghost"
                      aria-label={t`End the session of ${programOf(session.user_agent)}`}
                      onClick={() => void end(() => feather.auth.sessions.delete(session.id))}
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
function programOf(agent: string | null): string {
  if (!agent) return t`Unknown program`;
  const program = PROGRAMS.find((name) => agent.includes(name));
  const system = SYSTEMS.find(([mark]) => agent.includes(mark))?.[1];
  if (!program) return agent.slice(0, 40);
  const name = program === "Edg" ? "Edge" : program;
  return system ? t`${name} on ${system}` : name;
}
