import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Skeleton, State } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { paths } from "#/config/paths.ts";
import { PageHead } from "#/features/admin/page-head.tsx";
import type { Permission } from "#/features/auth/can.ts";
import { useUser } from "#/features/auth/user.ts";
import { PERMISSION_WORDS } from "#/features/organization/permission-words.ts";
import { rolesQuery } from "#/features/organization/queries.ts";
import { roleName } from "#/features/organization/roles.ts";

/** The permissions of each role, as the server enforces them. */
export default function OrganizationRolesPage() {
  const { user } = useUser();
  const { data, error, refetch } = useQuery(rolesQuery);
  return (
    <>
      <PageHead
        title={t`Roles`}
        about={
          user
            ? t`What members of an organization may do. In ${user.organization.name} you are ${roleName(user.organization.role)}. Everybody sees models, usage and deployments.`
            : undefined
        }
        up={{ label: t`Organization`, to: paths.organization }}
      />
      {error && !data ? (
        <ReadFault what={t`What roles may do`} error={error} again={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={360} />
      ) : (
        <Permissions roles={data.items} />
      )}
    </>
  );
}

type Roles = readonly { role: Parameters<typeof roleName>[0]; permissions: readonly Permission[] }[];

function Permissions({ roles }: { roles: Roles }) {
  // The last role has all permissions.
  const all = roles.at(-1)?.permissions ?? [];
  return (
    <table className="role-table">
      <caption className="visually-hidden">{t`What each role may do`}</caption>
      <thead>
        <tr>
          <th>{t`Permission`}</th>
          {roles.map(({ role }) => (
            <th key={role} scope="col">
              {roleName(role)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {all.map((permission) => (
          <tr key={permission}>
            <th scope="row">
              <span className="strong">{PERMISSION_WORDS[permission].name}</span>
              <span className="small mid means">{PERMISSION_WORDS[permission].means}</span>
            </th>
            {roles.map(({ role, permissions }) => (
              <td key={role}>
                {permissions.includes(permission) ? (
                  <State tier="good">{t`yes`}</State>
                ) : (
                  <span className="dim">{t`no`}</span>
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
