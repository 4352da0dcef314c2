import { can, type OrganizationMember, type User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { Select } from "#/components/ui/controls/select.tsx";
import { useConfirm } from "#/components/ui/dialogs/confirm.tsx";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { userQuery } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { formatIsoDay } from "#/lib/format.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import styles from "./members-section.module.css";
import organizationStyles from "./organization.module.css";
import { membersQuery, type Role } from "./queries.ts";
import { getRoleLabel, ROLE_OPTIONS } from "./roles.ts";

/** The members of the organization with their roles. */
export function MembersSection({ user }: { user: User }) {
  const { data, error, refetch } = useQuery(membersQuery);
  const { change, remove } = useMemberActions(user);
  const canManage = can(user, "manage_members") && !user.impersonated_by;
  return (
    <section aria-labelledby="members">
      <h2 className="h4" id="members">
        {t`Members`}
      </h2>
      {error && !data ? (
        <LoadError subject={t`The list of members`} error={error} retry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton height={120} />
      ) : (
        <table className={`mt-2 ${organizationStyles.people}`}>
          <thead>
            <tr>
              <th>{t`Name`}</th>
              <th>{t`Role`}</th>
              <th className="wide-only">{t`Joined`}</th>
              <th>
                <span className="visually-hidden">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((member) => (
              <tr key={member.user_id}>
                <td>
                  <div className="name user-text" dir="auto">
                    {member.name}
                    {member.user_id === user.id ? <span className="faint"> {t`(you)`}</span> : null}
                  </div>
                  <div className="small muted user-text">{member.email}</div>
                </td>
                <td>
                  {canManage ? (
                    <RoleSelect member={member} onSelect={(role) => void change(member, role)} />
                  ) : (
                    getRoleLabel(member.role)
                  )}
                </td>
                <td className="wide-only muted num">{formatIsoDay(member.joined_at)}</td>
                <td className="end">
                  {canManage || member.user_id === user.id ? (
                    <button
                      type="button"
                      className="btn ghost"
                      aria-label={member.user_id === user.id ? t`Leave the organization` : t`Remove ${member.name}`}
                      onClick={() => remove(member)}
                    >
                      {member.user_id === user.id ? <Trans>Leave</Trans> : <Trans>Remove</Trans>}
                    </button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function RoleSelect({ member, onSelect }: { member: OrganizationMember; onSelect(role: Role): void }) {
  return (
    <Select
      className={styles.slim}
      aria-label={t`Role of ${member.name}`}
      value={member.role}
      options={ROLE_OPTIONS}
      onChange={onSelect}
    />
  );
}

function useMemberActions(user: User) {
  const confirm = useConfirm();
  const isSelf = (member: OrganizationMember) => member.user_id === user.id;
  const change = useAction(
    ({ member, role }: { member: OrganizationMember; role: Role }) =>
      feather.organization.members.update(member.user_id, { role }),
    {
      success: (_, { member, role }) => t`${member.name} is now ${getRoleLabel(role)}`,
      // Users who gave up their own admin role cannot undo it.
      undo: (run, { member, role }) =>
        isSelf(member) ? null : () => run({ member: { ...member, role }, role: member.role }),
      invalidates: (_, { member }) => [queries.organization.key(), ...(isSelf(member) ? [userQuery.queryKey] : [])],
    },
  );
  const removal = useAction((member: OrganizationMember) => feather.organization.members.delete(member.user_id), {
    success: (_, member) => (isSelf(member) ? t`You left ${user.organization.name}` : t`${member.name} is removed`),
    // A user who has left sees another organization from now on.
    invalidates: (_, member) => (isSelf(member) ? [[]] : [queries.organization.key(), queries.budgets.key()]),
  });

  function remove(member: OrganizationMember): void {
    const leaves = isSelf(member);
    confirm({
      title: leaves ? t`Leave ${user.organization.name}` : t`Remove ${member.name}`,
      description: leaves
        ? t`Keys that you made here stop working at once. To come back you have to be invited again.`
        : t`The keys that ${member.name} made here stop working at once. To come back they have to be invited again.`,
      confirmButtonText: leaves ? t`Leave` : t`Remove ${member.name}`,
      destructive: true,
      action: async () => {
        await removal.run(member);
      },
    });
  }

  return { change: (member: OrganizationMember, role: Role) => void change.run({ member, role }), remove };
}
