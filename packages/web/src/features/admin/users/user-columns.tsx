import { t } from "@lingui/core/macro";
import { Link } from "react-router-dom";
import { State, Tag } from "#/components/ui/bits.tsx";
import { count } from "#/lib/format.ts";
import { Moment, Named } from "../cells.tsx";
import type { Column } from "../list/list-table.tsx";
import { adminPaths } from "../paths.ts";
import type { AdminUser } from "./queries.ts";

/** Returns the columns of the users list. */
export function userColumns(planName: (id: string) => string): Column<AdminUser>[] {
  return [
    {
      head: t`User`,
      cell: (user) => (
        <div className="row wraps" style={{ gap: 8 }}>
          <div>
            <Link to={adminPaths.user(user.id)} className="named-link">
              <Named name={user.name} below={user.email} />
            </Link>
          </div>
          {user.is_admin ? <Tag>{t`admin`}</Tag> : null}
        </div>
      ),
    },
    { head: t`Plan`, cell: (user) => <span className="mid">{planName(user.plan_id)}</span>, wide: true },
    { head: t`Requests, 30 days`, cell: (user) => count(user.requests_30d), figure: true, wide: true },
    { head: t`Last seen`, cell: (user) => <Moment date={user.last_seen_at} />, wide: true },
    { head: t`Joined`, cell: (user) => <Moment date={user.created_at} />, wide: true },
    { head: t`State`, cell: (user) => <UserState user={user} /> },
  ];
}

/** Whether a user is active, unverified, waiting for approval or suspended. */
export function UserState({ user }: { user: AdminUser }) {
  if (user.suspended_at)
    return (
      <span className="small" title={user.suspension_reason ?? undefined}>
        <State tier="bad">{t`suspended`}</State>
        {user.suspension_reason ? <div className="tiny dim clamped stranger">{user.suspension_reason}</div> : null}
      </span>
    );
  if (user.approval_requested_at)
    return (
      <span className="small">
        <State tier="loading">{t`waits for approval`}</State>
      </span>
    );
  return (
    <span className="small">
      <State tier={user.email_verified ? "good" : "loading"}>
        {user.email_verified ? t`active` : t`not confirmed`}
      </State>
    </span>
  );
}
