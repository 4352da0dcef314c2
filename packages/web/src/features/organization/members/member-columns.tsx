import type { OrganizationMember, User } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import type { Column } from "#/components/list/list-table.tsx";
import { Select } from "#/components/ui/controls/select.tsx";
import type { CsvCell } from "#/lib/csv.ts";
import { formatIsoDay } from "#/lib/format.ts";
import type { Role } from "../queries.ts";
import { getRoleLabel, ROLE_OPTIONS } from "../roles.ts";
import { MEMBER_SORTS } from "./member-filters.ts";
import styles from "./members-section.module.css";

type ColumnOptions = {
  user: User;
  canManage: boolean;
  change(member: OrganizationMember, role: Role): void;
  remove(member: OrganizationMember): void;
};

/** Returns the columns of the members. */
export function createMemberColumns({ user, canManage, change, remove }: ColumnOptions): Column<OrganizationMember>[] {
  const isSelf = ({ user_id }: OrganizationMember) => user_id === user.id;
  return [
    {
      header: t`Name`,
      cell: (member) => (
        <>
          <div className={`${styles.name} user-text`} dir="auto">
            {member.name}
            {isSelf(member) ? <span className="faint"> {t`(you)`}</span> : null}
          </div>
          <div className="small muted user-text">{member.email}</div>
        </>
      ),
      sorts: MEMBER_SORTS.name,
    },
    {
      header: t`Role`,
      cell: (member) =>
        canManage ? (
          <RoleSelect member={member} onSelect={(role) => change(member, role)} />
        ) : (
          getRoleLabel(member.role)
        ),
    },
    {
      header: t`Joined`,
      cell: ({ joined_at }) => <span className="muted num">{formatIsoDay(joined_at)}</span>,
      sorts: MEMBER_SORTS.joined,
      hideWhenNarrow: true,
    },
    {
      header: <span className="visually-hidden">{t`Actions`}</span>,
      cell: (member) =>
        canManage || isSelf(member) ? (
          <button
            type="button"
            className="btn ghost"
            aria-label={isSelf(member) ? t`Leave the organization` : t`Remove ${member.name}`}
            onClick={() => remove(member)}
          >
            {isSelf(member) ? <Trans>Leave</Trans> : <Trans>Remove</Trans>}
          </button>
        ) : null,
      className: "end",
    },
  ];
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

/** The columns of members in a file. */
export const MEMBER_FILE_COLUMNS: Readonly<Record<string, (member: OrganizationMember) => CsvCell>> = {
  user_id: ({ user_id }) => user_id,
  name: ({ name }) => name,
  email: ({ email }) => email,
  role: ({ role }) => role,
  joined_at: ({ joined_at }) => joined_at,
};
