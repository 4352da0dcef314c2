import { t } from "@lingui/core/macro";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { SettingsSection } from "#/components/ui/forms/settings-section.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { feather } from "#/lib/feather.ts";
import { formatRelativeTime } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./authorized-applications.module.css";

/** The applications that the user has authorized. */
export const authorizationsQuery = queryOptions({
  ...queries.account.authorizations.list.queryOptions(),
});

/** Settings of the applications that the user has authorized: list and revoke them. */
export function AuthorizedApplications() {
  const { data, error, refetch } = useQuery(authorizationsQuery);
  const confirm = useConfirm();
  const revocation = useAction((id: string) => feather.account.authorizations.delete(id), {
    success: () => t`Taken back`,
    invalidates: [authorizationsQuery.queryKey],
  });

  const revoke = (id: string, name: string) =>
    confirm({
      title: t`Take back what ${name} may do`,
      description: t`It is signed out at once, everywhere. API keys and open invitations it made end, applications it registered are switched off, and webhooks it made or changed are disabled. Members who joined, deployments, models and settings stay. You can allow it again when it asks.`,
      confirmButtonText: t`Take back`,
      destructive: true,
      async action() {
        await revocation.run(id);
      },
    });

  return (
    <SettingsSection
      title={t`Programs that may act for you`}
      description={t`Applications you allowed on their consent page. Take back what should not be: they are signed out at once.`}
    >
      {error && data === undefined ? (
        <LoadError subject={t`The list of programs`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={80} />
      ) : data.items.length === 0 ? (
        <p className="muted">{t`None. Programs that ask to act for you stand here once you allow them.`}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th>{t`Program`}</th>
              <th className="wide-only">{t`For`}</th>
              <th className="wide-only">{t`May`}</th>
              <th>{t`Last used`}</th>
              <th>
                <span className="visually-hidden">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id, application, organization, scopes, last_used_at }) => (
              <tr key={id}>
                <td className="user-text">
                  <bdi>{application.name}</bdi>
                </td>
                <td className="wide-only user-text">
                  <bdi>{organization.name}</bdi>
                </td>
                <td className="wide-only mono small">{scopes.join(" ")}</td>
                <td className="muted">{last_used_at ? formatRelativeTime(last_used_at) : t`never`}</td>
                <td className={styles.action}>
                  <button
                    type="button"
                    className="btn ghost"
                    aria-label={t`Take back what ${application.name} may do`}
                    onClick={() => revoke(id, application.name)}
                  >
                    {t`Take back`}
                  </button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </SettingsSection>
  );
}
