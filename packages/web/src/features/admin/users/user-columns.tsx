import type { AdminUser } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import type { Column } from "#/components/list/list-table.tsx";
import { StateBadge } from "#/components/ui/labels/state-badge.tsx";
import { Tag } from "#/components/ui/labels/tag.tsx";
import { formatCount } from "#/lib/format.ts";
import { NameWithDetail } from "../name-with-detail.tsx";
import { adminPaths } from "../paths.ts";
import { RelativeTime } from "../relative-time.tsx";
import { USER_SORTS } from "./user-filters.ts";

/** Returns the columns of the users list. */
export function createUserColumns(planName: (id: string) => string): Column<AdminUser>[] {
  return [
    {
      header: t`User`,
      cell: (user) => (
        <div className="row wrapping tight">
          <div>
            <Link to={adminPaths.user(user.id)} className="named-link">
              <NameWithDetail name={user.name} detail={user.email} />
            </Link>
          </div>
          {user.is_admin ? <Tag>{t`admin`}</Tag> : null}
        </div>
      ),
      sorts: USER_SORTS.email,
    },
    { header: t`Plan`, cell: (user) => <span className="muted">{planName(user.plan_id)}</span>, hideWhenNarrow: true },
    {
      header: t`Requests, 30 days`,
      cell: (user) => formatCount(user.requests_30d),
      isNumeric: true,
      hideWhenNarrow: true,
      sorts: USER_SORTS.requests,
    },
    {
      header: t`Last seen`,
      cell: (user) => <RelativeTime date={user.last_seen_at} />,
      hideWhenNarrow: true,
      sorts: USER_SORTS.seen,
    },
    {
      header: t`Joined`,
      cell: (user) => <RelativeTime date={user.created_at} />,
      hideWhenNarrow: true,
      sorts: USER_SORTS.joined,
    },
    { header: t`State`, cell: (user) => <UserState user={user} /> },
  ];
}

/** Whether a user is active, unverified, waiting for approval or suspended. */
export function UserState({ user }: { user: AdminUser }) {
  if (user.suspended_at)
    return (
      <span className="small" title={user.suspension_reason ?? undefined}>
        <StateBadge tier="bad">{t`suspended`}</StateBadge>
        {user.suspension_reason ? <div className="tiny faint clamped user-text">{user.suspension_reason}</div> : null}
      </span>
    );
  if (user.approval_requested_at)
    return (
      <span className="small">
        <StateBadge tier="loading">{t`waits for approval`}</StateBadge>
      </span>
    );
  return (
    <span className="small">
      <StateBadge tier={user.email_verified ? "good" : "loading"}>
        {user.email_verified ? t`active` : t`not confirmed`}
      </StateBadge>
    </span>
  );
}
