import type { Permission } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { type QueryClient, useQuery } from "@tanstack/react-query";
import { PageHeader } from "#/components/layouts/page-header.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { paths } from "#/config/paths.ts";
import { useUser } from "#/entities/session/user.ts";
import { PERMISSION_LABELS } from "#/features/organization/permission-labels.ts";
import { rolesQuery } from "#/features/organization/queries.ts";
import { getRoleLabel } from "#/features/organization/roles.ts";
import styles from "./organization-roles.module.css";

/** The permissions of each role, as the server enforces them. */
export default function OrganizationRolesPage() {
  const { user } = useUser();
  const { data, error, refetch } = useQuery(rolesQuery);
  return (
    <>
      <PageHeader
        title={t`Roles`}
        description={
          user
            ? t`What members of an organization may do. In ${user.organization.name} you are ${getRoleLabel(user.organization.role)}. Everybody sees models, usage and deployments.`
            : undefined
        }
        parentPage={{ label: t`Organization`, to: paths.organization }}
      />
      {error && !data ? (
        <LoadError subject={t`What roles may do`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={360} />
      ) : (
        <Permissions roles={data.items} />
      )}
    </>
  );
}

type Roles = readonly { role: Parameters<typeof getRoleLabel>[0]; permissions: readonly Permission[] }[];

function Permissions({ roles }: { roles: Roles }) {
  // The last role has all permissions.
  const all = roles.at(-1)?.permissions ?? [];
  return (
    <table className={styles.roleTable}>
      <caption className="visually-hidden">{t`What each role may do`}</caption>
      <thead>
        <tr>
          <th>{t`Permission`}</th>
          {roles.map(({ role }) => (
            <th key={role} scope="col">
              {getRoleLabel(role)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.map((permission) => (
          <tr key={permission}>
            <th scope="row">
              <span className="strong">{PERMISSION_LABELS[permission].name}</span>
              <span className={`small muted ${styles.means}`}>{PERMISSION_LABELS[permission].description}</span>
            </th>
            {roles.map(({ role, permissions }) => (
              <td key={role}>
                {permissions.includes(permission) ? (
                  <StateBadge tier="good">{t`yes`}</StateBadge>
                ) : (
                  <span className="faint">{t`no`}</span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Loads what the page reads first. */
export const prefetch = (client: QueryClient): Promise<void> => client.prefetchQuery(rolesQuery);
